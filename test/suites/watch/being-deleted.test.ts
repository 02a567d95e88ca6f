/** A NodePool that is being deleted counts until its finalizers are gone, and has the policy. Runs on real API servers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import { BLOCKER } from "../../../src/resolve/guarded-list.ts";
import type { Rig } from "../../support/watch/rig.ts";
import { apply, get, remove, waitGone } from "../../support/controlplane/objects.ts";
import { objectPath } from "../../support/controlplane/rest-path.ts";
import { ARCH, isIn, NAMESPACE, nodeClass, policy, pool, TYPE, userData } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  live,
  nodePool,
  OPERATOR,
  pass,
  put,
  readyOf,
  requirementsOf,
  said,
  watched,
} from "../../support/watch/rig.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { figuresOf } from "../../../src/cluster/fleet/figures.ts";

const FINALIZER = "tenant.example.com/keep";

/** Removed after the test. */
async function keep(rig: Rig, name: string): Promise<void> {
  onTestFinished(async () => void (await setFinalizers(rig, name, [])));
  expect(await setFinalizers(rig, name, [FINALIZER])).toBe(200);
}

async function setFinalizers({ guest }: Rig, name: string, finalizers: readonly string[]): Promise<number> {
  const path = await objectPath(guest, nodePool(name));
  return (await guest.request(ADMIN, "PATCH", path, { metadata: { finalizers } })).status;
}

async function inventoryOf({ management }: Rig): Promise<string[]> {
  const metadata = { name: `anp-inventory.${NAMESPACE}.watch.0`, namespace: NAMESPACE };
  const part = await live(management, { apiVersion: "v1", kind: "ConfigMap", metadata });
  const entries = JSON.parse(String(valueAt(part, ["data", "objects"]))) as { kind: string; name: string }[];
  return entries.filter(({ kind }) => kind === "NodePool").map(({ name }) => name);
}

describeOnClusters("a NodePool that a tenant's finalizer keeps", (rig) => {
  test("is reported as being deleted, gets a tightened policy, and leaves the inventory when it is gone", async () => {
    await put(rig.guest, pool("batch"));
    await pass(watched(rig));
    await keep(rig, "web");
    await remove(rig.guest, ADMIN, pool("web"));
    const first = await pass(watched(rig));
    expect(said(first)).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/batch", "prune NodePool/web"]);
    const going = (await live(rig.guest, nodePool("web"))).metadata!;
    const words = `it is being deleted since ${String(going["deletionTimestamp"])}, and kept by its finalizer ${FINALIZER}`;
    expect(await readyOf(rig)).toMatchObject({
      status: "True",
      message: `applied to 2 NodePools and 1 EC2NodeClasses; being deleted: NodePool web: ${words}`,
    });
    const { done, state } = logLines(first, 0);
    expect(done.map(({ msg }) => msg)).not.toContain("deleted");
    expect(state).toEqual([
      { level: "info", msg: "being deleted", fields: { cluster: "watch", object: "NodePool web", reason: words } },
    ]);
    expect(figuresOf(first).objects).toContainEqual({ kind: "NodePool", state: "going", count: 1 });
    const second = await pass(watched(rig));
    expect(said(second)).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/batch", "going NodePool/web"]);
    expect(second.result).toBe("ok");
    expect(logLines(second, 0)).toMatchObject({ done: [], state });
    expect(figuresOf(second).objects).toContainEqual({ kind: "NodePool", state: "going", count: 1 });
    expect(await inventoryOf(rig)).toEqual(["batch", "web"]);
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const events = (body.items ?? []).filter(({ reason }) => reason === "BeingDeleted");
    expect(events.map(({ note }) => note)).toEqual([words]);

    const tighter = isIn(TYPE, "m5.xlarge");
    await put(rig.management, policy([tighter]));
    const file = join(rig.folder, "bounds.yaml");
    const config = { apiVersion: "anp.hypershift.openshift.io/v1alpha1", kind: "RenderConfig" };
    const bounds = { maxExpireAfter: "24h", maxTerminationGracePeriod: "1h", minDriftedBudget: "20%" };
    writeFileSync(file, JSON.stringify({ ...config, spec: bounds }));
    const bounded = watched(rig, { source: { paths: [], policyDir: undefined, config: file } });
    const third = await pass(bounded);
    expect(said(third)).toContain("update NodePool/web");
    expect(await requirementsOf(rig, "web")).toEqual([tighter, isIn(ARCH, "amd64")]);
    const { spec } = (await get(rig.guest, ADMIN, nodePool("web"))).body;
    const template = { spec: { expireAfter: "24h", terminationGracePeriod: "1h" } };
    const budgets = [
      { nodes: "10%", reasons: ["Underutilized", "Empty"] },
      { nodes: "20%", reasons: ["Drifted"] },
    ];
    expect(spec).toMatchObject({ template, disruption: { budgets } });
    expect(third.ready.status).toBe("True");
    expect(said(await pass(bounded))).toContain("going NodePool/web");

    expect(await setFinalizers(rig, "web", [])).toBe(200);
    await waitGone(rig.guest, nodePool("web"));
    const last = await pass(bounded);
    expect(said(last)).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/batch"]);
    expect(last.ready.message).toBe("applied to 1 NodePools and 1 EC2NodeClasses");
    expect(await inventoryOf(rig)).toEqual(["batch"]);
  });

  test("is blocked under a policy that it has no room for, and once", async () => {
    const entries = (from: string, count: number) =>
      Array.from({ length: count }, (_, at) => isIn(`example.com/${from}${at}`, "x"));
    await put(rig.guest, pool("batch"));
    await put(rig.guest, pool("web", entries("own", 80)));
    await pass(watched(rig));
    await keep(rig, "web");
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig));
    const larger = entries("policy", 30);
    await put(rig.management, policy(larger));
    expect(said(await pass(watched(rig)))).toContain("update NodePool/web");
    expect(await requirementsOf(rig, "web")).toEqual([...larger, BLOCKER]);
    expect(said(await pass(watched(rig)))).toContain("going NodePool/web");
    await put(rig.management, policy(larger.slice(1)));
    await pass(watched(rig));
    expect(said(await pass(watched(rig)))).toContain("going NodePool/web");
    expect(await setFinalizers(rig, "web", [])).toBe(200);
  });

  test("keeps its node class, and is created again when it is gone and its wrapper is back", async () => {
    await put(rig.guest, pool("batch"));
    await put(rig.guest, nodeClass("other"));
    await put(rig.management, userData("other"));
    await pass(watched(rig));
    await keep(rig, "web");
    await remove(rig.guest, ADMIN, pool("web"));
    await remove(rig.guest, ADMIN, pool("batch"));
    await remove(rig.guest, ADMIN, nodeClass("default"));
    const left = await pass(watched(rig));
    expect(said(left).slice(1)).toEqual([
      "prune NodePool/batch",
      "prune NodePool/web",
      "prune EC2NodeClass/default none",
    ]);
    const held = await pass(watched(rig));
    expect(said(held)).toContain("keep EC2NodeClass/default");
    await put(rig.guest, nodeClass("default"));
    await put(rig.guest, pool("web"));
    const back = await pass(watched(rig));
    expect(back.ready.message).toContain("being deleted: NodePool web");
    expect(figuresOf(back).objects).toContainEqual({ kind: "NodePool", state: "going", count: 1 });
    expect(await setFinalizers(rig, "web", [])).toBe(200);
    await waitGone(rig.guest, nodePool("web"));
    expect(said(await pass(watched(rig)))).toContain("create NodePool/web");
  });

  test("that another user deletes counts as outside the policy while it lacks a requirement of it", async () => {
    const spec = {
      template: {
        spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "x" }, requirements: [] },
      },
    };
    await pass(watched(rig));
    const { status } = await apply(rig.guest, OPERATOR, { ...nodePool("theirs"), spec }, { force: true });
    expect(status).toBe(201);
    await keep(rig, "theirs");
    await remove(rig.guest, OPERATOR, nodePool("theirs"));
    expect((await get(rig.guest, ADMIN, nodePool("theirs"))).status).toBe(200);
    expect((await pass(watched(rig))).ready).toMatchObject({
      status: "False",
      reason: "PoolOutsidePolicy",
      message: "the policy does not reach the NodePool theirs",
    });
    expect(await setFinalizers(rig, "theirs", [])).toBe(200);
  });
});
