/** A watch of a hosted cluster in which users write NodePools, and the way there and back. On real API servers. */
import { expect, test, vi } from "vitest";
import { inventoryLocation } from "../../../src/cluster/inventory/location.ts";
import { knownIn, readInventory } from "../../../src/cluster/inventory/read-inventory.ts";
import { logLines } from "../../../src/cluster/status/log-lines.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { toYaml } from "../../../src/krm/yaml/write.ts";
import { admissionPolicyName } from "../../../src/model/objects/reserved-names.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { apply, create, remove, until, waitGone } from "../../support/controlplane/objects.ts";
import { runAnp } from "../../support/process/run-anp.ts";
import { ARCH, CONTROL_PLANE, type Entry, isIn, nodeClass, policy, pool, TYPE } from "../../support/watch/inputs.ts";
import { describeOnClusters } from "../../support/watch/on-clusters.ts";
import {
  ADMIN,
  appliedObjects,
  live,
  nodePool,
  OPERATOR,
  pass,
  put,
  readyOf,
  said,
  watched,
} from "../../support/watch/rig.ts";

const RAW = { render: { nodePools: "Raw" } } as const;

const MORE = `requirements on ${ARCH} admit nodes that the AutoNodePolicy does not`;

const TIGHT = [isIn(ARCH, "amd64"), isIn(TYPE, "m5.xlarge")];

const GUARD = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: admissionPolicyName("nodepool") },
};

describeOnClusters("users' NodePools", (rig) => {
  test("are neither changed nor deleted, and their own admission policy is gone", async () => {
    await pass(watched(rig));
    const spec = (await live(rig.guest, nodePool("web"))).spec ?? {};
    const users = { ...nodePool("users"), spec };
    await live(rig.guest, GUARD);
    await pass(watched(rig, RAW));
    await expect(live(rig.guest, GUARD)).rejects.toThrow("not found");
    // API servers drop an admission policy some time after its deletion.
    await vi.waitFor(
      async () => expect((await apply(rig.guest, "guest-admin", users)).status).toBeLessThan(300),
      20_000,
    );
    const made = await live(rig.guest, users);
    expect(said(await pass(watched(rig, RAW)))).toEqual(["in-sync EC2NodeClass/default", "in-sync NodePool/web"]);
    expect(await live(rig.guest, users)).toEqual(made);
  });

  test.each([RAW, {}])("change no admission policy when users write them instead of wrappers: %j", async (mode) => {
    await pass(watched(rig, mode));
    const before = await admissionPolicies();
    const { spec = {} } = await live(rig.guest, nodePool("web"));
    await remove(rig.guest, ADMIN, pool("web"));
    const isRaw = "render" in mode;
    const written = { ...nodePool(isRaw ? "stored" : "refused"), spec };
    await until("a NodePool of a user is stored or refused", async () => {
      const { status } = await create(rig.guest, "guest-admin", written, { dryRun: !isRaw });
      return isRaw ? status === 201 : status === 422;
    });
    await pass(watched(rig, mode));
    expect(await admissionPolicies()).toStrictEqual(before);
    expect(before.includes(GUARD.metadata.name)).toBe(!isRaw);
    if (isRaw) await remove(rig.guest, ADMIN, written);
  });

  test("take over the pools of wrappers, and no pool is deleted: the inventory releases them", async () => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    await takeOver("web");
    await remove(rig.guest, ADMIN, pool("web"));
    const released = await pass(watched(rig, RAW));
    expect(said(released)).toEqual(["in-sync EC2NodeClass/default", "release NodePool/web"]);
    expect(released.result).toBe("ok");
    expect(await entryOf("web")).toMatchObject({ uid: before.metadata?.uid, released: true });
    const taken = await live(rig.guest, nodePool("web"));
    expect(taken.metadata?.uid).toBe(before.metadata?.uid);
    expect(taken.spec).toMatchObject({ weight: 7 });
    // It stays a user's without Raw and with every guard of pruning off, and its class stays for its nodes.
    for (const over of [RAW, { allowEmpty: true }, { ...RAW, allowEmpty: true }]) {
      const steps = said(await pass(watched(rig, over))).filter((step) => step.includes("/web"));
      expect(steps).toEqual("render" in over ? [] : ["unclaimed NodePool/web"]);
      expect(await live(rig.guest, nodePool("web"))).toEqual(taken);
    }
    await remove(rig.guest, ADMIN, nodeClass("default"));
    expect(said(await pass(watched(rig, { allowEmpty: true })))).toContain("keep EC2NodeClass/default");
  });

  test.each([RAW, {}])("are anp's again when their wrapper is back, with the same uid: %j", async (mode) => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    await takeOver("web");
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await put(rig.guest, pool("web"));
    // Both own its fields, and anp is the only one that keeps them.
    expect(said(await pass(watched(rig, mode)))).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
    const after = await live(rig.guest, nodePool("web"));
    expect([after.metadata?.uid, after.spec]).toEqual([before.metadata?.uid, before.spec]);
    expect(await entryOf("web")).not.toHaveProperty("released");
    await put(rig.guest, pool("other"));
    await pass(watched(rig));
    await remove(rig.guest, ADMIN, pool("web"));
    expect(said(await pass(watched(rig)))).toContain("prune NodePool/web");
  });

  test("lose their entry in the inventory when a user deletes them, and their wrapper makes new ones", async () => {
    await pass(watched(rig));
    const before = await live(rig.guest, nodePool("web"));
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await remove(rig.guest, OPERATOR, nodePool("web"));
    await waitGone(rig.guest, nodePool("web"));
    await put(rig.guest, pool("web"));
    expect(said(await pass(watched(rig, RAW)))).toContain("create NodePool/web");
    const made = await live(rig.guest, nodePool("web"));
    expect(made.metadata?.uid).not.toBe(before.metadata?.uid);
    expect(await entryOf("web")).toMatchObject({ uid: made.metadata?.uid });
    await remove(rig.guest, ADMIN, pool("web"));
    await pass(watched(rig, RAW));
    await remove(rig.guest, OPERATOR, nodePool("web"));
    await waitGone(rig.guest, nodePool("web"));
    await pass(watched(rig, RAW));
    expect(await entryOf("web")).toBeUndefined();
  });

  test("are judged against the policy, and those that have it are as they should be", async () => {
    await pass(watched(rig, RAW));
    const before = await live(rig.management, policy([]));
    for (const [name, requirements] of [
      ["loose", [isIn(ARCH, "arm64")]],
      ["tight", [isIn(ARCH, "amd64")]],
    ] as const)
      await write(users(name, requirements));
    await write(await rendered(users("rendered", [isIn(ARCH, "amd64", "arm64")])));
    const pools = await poolsOf();
    const result = await pass(watched(rig, RAW));
    expect([result.result, result.outside]).toEqual(["held", 1]);
    expect(await readyOf(rig)).toMatchObject({
      status: "False",
      reason: "PoolOutsidePolicy",
      message: `the policy does not reach the NodePool loose: ${MORE}; anp changes no NodePool that users write: render it in GitOps (anp render --node-pools Raw), or install anp guard`,
    });
    const { state } = logLines(result, 0);
    expect(state.filter(({ msg }) => msg === "outside the policy").map(({ fields }) => fields)).toEqual([
      { cluster: "watch", object: "NodePool loose", reason: MORE },
    ]);
    expect(await eventsOf()).toEqual([`loose Warning OutsidePolicy ${MORE}`]);
    // On the dashboard they are explained as they run. The hosted cluster has images for amd64 only.
    const rows = result
      .details(() => shippedCatalogue())
      .pools.map(({ name, state, explained }) => {
        const { verdict, conflict = [] } = explained() ?? {};
        return [name, state.words, verdict, conflict.map(({ from, key }) => `${from} ${key}`)];
      });
    expect(rows).toEqual([
      ["loose", "outside the policy", "unsatisfiable", [`user ${ARCH}`, `class ${ARCH}`]],
      ["rendered", "not ours", "narrowed", []],
      ["tight", "not ours", "ok", []],
      ["web", "in sync", "ok", []],
    ]);
    // Each pass of the test has a recorder of its own: the API server has the event already.
    await pass(watched(rig, RAW));
    expect(await eventsOf()).toEqual([`loose Warning OutsidePolicy ${MORE}`]);
    expect(await poolsOf()).toEqual(pools);
    const policyNow = await live(rig.management, policy([]));
    expect([policyNow.metadata?.["generation"], policyNow.spec]).toEqual([
      before.metadata?.["generation"],
      before.spec,
    ]);
    await remove(rig.guest, ADMIN, nodePool("loose"));
    expect(await pass(watched(rig, RAW))).toMatchObject({ result: "ok", outside: 0, ready: { status: "True" } });
  });

  test("have the same AutoNodePolicy as wrappers, and a tightened one reaches only those that anp writes", async () => {
    await pass(watched(rig));
    expect(await readyOf(rig)).toMatchObject({ status: "True" });
    await pass(watched(rig, RAW));
    await write(await rendered(users("rendered", [])));
    expect(await pass(watched(rig, RAW))).toMatchObject({ result: "ok", ready: { status: "True" } });
    await put(rig.management, policy(TIGHT));
    const tightened = await pass(watched(rig, RAW));
    expect(said(tightened)).toEqual(["in-sync EC2NodeClass/default", "update NodePool/web"]);
    expect(tightened.ready).toMatchObject({ reason: "PoolOutsidePolicy" });
    expect(tightened.ready.message).toContain(
      "the NodePool rendered: requirements on node.kubernetes.io/instance-type",
    );
    await write(await rendered(await live(rig.guest, nodePool("rendered")), TIGHT));
    expect((await pass(watched(rig, RAW))).ready).toMatchObject({ status: "True" });
    // Without Raw, the pool is foreign, and the policy reaches it all the same.
    expect((await pass(watched(rig))).ready).toMatchObject({ status: "True" });
  });

  test("keep their limit on nodes Soft, and Ready says so", async () => {
    const limited = { ...pool("web"), spec: { ...pool("web").spec, limits: { nodes: 3 } } };
    await put(rig.guest, limited);
    await pass(watched(rig, RAW));
    await write({ ...users("few", [isIn(ARCH, "amd64")]), spec: { ...users("few").spec, limits: { nodes: "3" } } });
    const { ready, nodeLimits } = await pass(watched(rig, RAW));
    expect(nodeLimits.pools.map(({ pool: name }) => name)).toEqual(["web"]);
    expect(ready).toMatchObject({
      status: "True",
      message: "applied to 1 NodePools and 1 EC2NodeClasses; limits.nodes is Soft in NodePools that users write: few",
    });
    expect((await pass(watched(rig, { ...RAW, nodeLimits: "Off" }))).ready.message).not.toContain("few");
  });

  function users(name: string, requirements: readonly Entry[] = []): KubernetesObject {
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const spec = { template: { spec: { nodeClassRef, requirements } }, disruption: { consolidateAfter: "30s" } };
    return { ...nodePool(name), spec };
  }

  /** A user's own manifest of a pool, as GitOps applies it after `anp render`. */
  async function rendered(object: KubernetesObject, entries = [isIn(ARCH, "amd64")]): Promise<KubernetesObject> {
    const { metadata, status: _status, ...rest } = object;
    const own = { ...rest, metadata: { name: metadata!.name!, annotations: metadata?.["annotations"] } };
    const files = [own, policy(entries), nodeClass("default"), CONTROL_PLANE].map((one) => toYaml(one as never));
    const { stdout, stderr } = await runAnp(["render", "-", "--node-pools", "Raw", "-o", "json"], {
      input: files.join("---\n"),
    });
    const list = JSON.parse(stdout) as { items: KubernetesObject[] };
    const one = list.items.find(({ kind }) => kind === "NodePool");
    if (one === undefined) throw new Error(stderr);
    return one;
  }

  /** Once the admission policy is gone. */
  async function write(object: KubernetesObject): Promise<void> {
    await until(`NodePool ${object.metadata?.name} written`, async () => {
      const { status } = await apply(rig.guest, "guest-admin", object, { force: true });
      return status < 300;
    });
  }

  async function poolsOf(): Promise<KubernetesObject[]> {
    return (await appliedObjects(rig.guest)).filter(({ kind }) => kind === "NodePool");
  }

  /** The events on users' NodePools, as `kubectl describe` shows them. */
  async function eventsOf(): Promise<string[]> {
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const events = (body.items ?? []) as unknown as {
      regarding: KubernetesObject["metadata"];
      type: string;
      reason: string;
      note: string;
    }[];
    return events
      .filter(({ regarding, reason }) => regarding?.["kind"] === "NodePool" && reason === "OutsidePolicy")
      .map(({ regarding, type, reason, note }) => `${regarding?.name} ${type} ${reason} ${note}`);
  }

  async function admissionPolicies(): Promise<unknown[]> {
    const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    const { body } = await rig.guest.request("system:admin", "GET", path);
    return (body.items ?? []).flatMap(({ metadata, spec }) => [metadata?.name, spec]);
  }

  /** A user's own manifest of a pool, once the admission policy is gone. */
  async function takeOver(name: string): Promise<void> {
    const { spec } = await live(rig.guest, nodePool(name));
    const own = { ...nodePool(name), spec: { ...spec, weight: 7 } };
    await until(`NodePool ${name} taken over`, async () => {
      const { status } = await apply(rig.guest, "guest-admin", own, { force: true });
      return status < 300;
    });
  }

  async function entryOf(name: string): Promise<unknown> {
    const reading = await readInventory(inventoryLocation(watched(rig)));
    return knownIn(reading)?.get(`NodePool/${name}`);
  }
});
