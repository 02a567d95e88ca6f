/**
 * The enhancement's test plan (docs/design.md#the-autonode-policy-enhancement) from end to end: `anp watch` between two
 * control planes, and a real Karpenter.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { create, get, remove } from "../../support/controlplane/objects.ts";
import { attempt, DENIED, expected, GUARDED, METADATA, outcomesOf, SPEC_UNCHANGED } from "../../support/e2e/guarded.ts";
import { all, BY_HAND, CLAIM_DENIED, judgeClaims, OWNED } from "../../support/e2e/node-claims.ts";
import { type Decision, decisionsOn, type Launch } from "../../support/karpenter/decisions.ts";
import { createPending } from "../../support/karpenter/pods.ts";
import { ARCH, type Entry, isIn, NAMESPACE, nodeClass, policy, pool, TYPE } from "../../support/watch/inputs.ts";
import {
  ADMIN,
  ec2NodeClass,
  live,
  nodePool,
  OPERATOR,
  put,
  readyOf,
  requirementsOf,
} from "../../support/watch/rig.ts";
import { type KarpenterRig, NODE_CLASS, startKarpenterRig } from "../../support/watch-process/karpenter-rig.ts";
import { kwokPool, podFor } from "../../support/watch-process/kwok-pools.ts";
import { nodesOf } from "../../support/watch-process/node-claims.ts";
import { allow } from "../../support/watch-process/rbac.ts";
import { startWatch, type WatchProcess } from "../../support/watch-process/start-watch.ts";
import { textTable } from "../../support/watch-process/text-table.ts";
import { closePools, openPools, REFUSAL } from "../../support/watch-plan/closed-pools.ts";

/** Types of kwok for those that a policy names, and another one. */
const TYPES = { A: "m-4x-amd64-linux", B: "c-4x-amd64-linux", C: "s-4x-amd64-linux", D: "c-8x-amd64-linux" };
const { A, B, C, D } = TYPES;

describe("test plan, by anp watch and Karpenter", () => {
  let rig: KarpenterRig;
  let watch: WatchProcess;
  const pools: KubernetesObject[] = [];
  const outcomes: string[][] = [["item", "done", "outcome"]];

  beforeAll(async () => {
    rig = await startKarpenterRig();
    watch = start();
  });

  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") console.error(rig.karpenter.log().slice(-2000));
    for (const wrapper of pools.splice(0)) {
      await remove(rig.guest, ADMIN, wrapper);
      await watch.until("the pool goes with its wrapper", () => isGone(nodePool(wrapper.metadata!.name!)));
    }
    await remove(rig.management, ADMIN, policy([]));
    // After many changes in a row a watch takes its time for the next one.
    if (watch.passes().length < 15) return;
    expect(await watch.stop()).toBe(0);
    watch = start();
  });

  afterAll(async () => {
    await watch?.until("a pass", async () => watch.passes().length > 0);
    expect(await watch?.stop()).toBe(0);
    await rig?.stop();
  });

  function start(): WatchProcess {
    const guest = ["--guest-kubeconfig", rig.kubeconfig("guest", OPERATOR)];
    const management = ["--management-kubeconfig", rig.kubeconfig("management", "guest-admin")];
    // Only what it hears of brings a pass.
    return startWatch(["--hosted-cluster", NAMESPACE, ...guest, ...management, "--interval", "1h"]);
  }

  const setPolicy = (...given: Parameters<typeof policy>) => put(rig.management, policy(...given));

  async function addPool(wrapper: KubernetesObject): Promise<string> {
    pools.push(wrapper);
    await put(rig.guest, wrapper);
    return wrapper.metadata!.name!;
  }

  /** Until watch has made it so. */
  async function untilRequirements(name: string, ...entries: Entry[]): Promise<string> {
    let last: unknown;
    await watch.until(`NodePool ${name} with its requirements`, async () => {
      last = await requirementsOf(rig, name).catch(() => undefined);
      return JSON.stringify(last) === JSON.stringify(entries);
    });
    return `NodePool: ${wordsOf(entries)}`;
  }

  async function untilBlockDevices(...devices: object[]): Promise<string> {
    let last: unknown;
    await watch.until("EC2NodeClass default with its devices", async () => {
      last = valueAt(await live(rig.guest, ec2NodeClass("default")), ["spec", "blockDeviceMappings"]);
      return JSON.stringify(last) === JSON.stringify(devices);
    });
    const words = devices.map((device) => {
      const { deviceName, ebs } = device as {
        deviceName: string;
        ebs: { volumeSize: string; volumeType: string; encrypted: boolean };
      };
      return `${deviceName} ${ebs.volumeSize} ${ebs.volumeType}${ebs.encrypted ? " encrypted" : ""}`;
    });
    return `EC2NodeClass: ${words.join(", ")}`;
  }

  let cpus = 100;

  /** What Karpenter decides for a pod that only this pool may take. */
  async function decisionFor(name: string): Promise<Decision> {
    await watch.until(`NodePool ${name} Ready`, async () => {
      const { body } = await get(rig.guest, ADMIN, nodePool(name));
      const conditions = (valueAt(body, ["status", "conditions"]) ?? []) as { type: string; status: string }[];
      return conditions.some(({ type, status }) => type === "Ready" && status === "True");
    });
    const cpu = `${++cpus}m`;
    await createPending(rig.guest, [podFor(name, cpu)]);
    const decisions = await decisionsOn(rig.karpenter, [{ name, pools: [name], cpu }]);
    return decisions.get(name)!;
  }

  async function launchFor(name: string): Promise<Launch> {
    const decision = await decisionFor(name);
    if ("nothing" in decision) throw new Error(`Karpenter launches nothing: ${decision.nothing}`);
    await watch.until(`a node of ${name}`, async () => (await nodesOf(rig.guest, name)).some(({ ready }) => ready));
    return decision;
  }

  async function untilReady(reason: string): Promise<string> {
    let last: Record<string, unknown> | undefined;
    await watch.until(`Ready with ${reason}`, async () => {
      last = await readyOf(rig);
      return last?.["reason"] === reason;
    });
    return `Ready=${String(last?.["status"])} ${reason}`;
  }

  async function isGone(object: KubernetesObject): Promise<boolean> {
    return (await get(rig.guest, ADMIN, object)).status === 404;
  }

  function record(item: string, done: string, ...outcome: string[]): void {
    const short = (text: string) =>
      Object.entries(TYPES).reduce((words, [letter, type]) => words.replaceAll(type, letter), text);
    outcomes.push([item, short(done), short(outcome.join("; "))]);
  }

  test("1. Basic policy enforcement", async () => {
    await setPolicy([isIn(TYPE, A, B), isIn(ARCH, "amd64")]);
    const name = await addPool(kwokPool("basic", [isIn(TYPE, B)]));
    const merged = await untilRequirements(name, isIn(TYPE, A, B), isIn(ARCH, "amd64"), isIn(TYPE, B));
    const { candidates } = await launchFor(name);
    expect(candidates).toEqual([B]);
    const [node] = await nodesOf(rig.guest, name);
    expect(node).toMatchObject({ instanceType: B, ready: true, leaving: undefined });
    record(
      "1. Basic policy enforcement",
      `policy ${A} ${B} and amd64, pool ${B}`,
      merged,
      `node ${node?.instanceType}`,
    );
  });

  test("2. Policy restriction", async () => {
    await setPolicy([isIn(TYPE, A, B, C)]);
    const name = await addPool(kwokPool("restricted", [isIn(TYPE, B, D)]));
    const merged = await untilRequirements(name, isIn(TYPE, A, B, C), isIn(TYPE, B, D));
    const { candidates } = await launchFor(name);
    expect(candidates).toEqual([B]);
    record(
      "2. Policy restriction",
      `policy ${A} ${B} ${C}, pool ${B} ${D}`,
      merged,
      `launched of ${candidates.join(" ")}`,
    );
  });

  test("3. Conflicting requirements", async () => {
    await setPolicy([isIn(TYPE, A)]);
    const name = await addPool(kwokPool("conflicting", [isIn(TYPE, B)]));
    const merged = await untilRequirements(name, isIn(TYPE, A), isIn(TYPE, B));
    const decision = await decisionFor(name);
    expect(decision).toMatchObject({ nothing: expect.stringContaining("filtered out all available instance types") });
    expect(await nodesOf(rig.guest, name)).toEqual([]);
    const ready = await untilReady("RequirementsConflict");
    expect((await readyOf(rig))?.["message"]).toBe(`pools conflict with the policy: conflicting (${TYPE})`);
    const told = await eventsOn(name);
    // Karpenter's conditions do not tell it (docs/upstream/karpenter.md#no-nodes): its event does, and watch on wrapper
    // and policy.
    expect(told).toContain("NodePool NoCompatibleInstanceTypes");
    expect(told).toContain("OpenshiftNodePool RequirementsConflict");
    record("3. Conflicting requirements", `policy ${A}, pool ${B}`, merged, "no node", ready, told.join(", "));
  });

  async function eventsOn(name: string): Promise<string[]> {
    const { body } = await rig.guest.request(ADMIN, "GET", "/apis/events.k8s.io/v1/namespaces/default/events");
    const about = (body.items ?? []).filter((event) => valueAt(event, ["regarding", "name"]) === name);
    const told = about.map((event) => `${String(valueAt(event, ["regarding", "kind"]))} ${event.reason}`);
    return [...new Set(told)].filter((words) => /Compat|Conflict/.test(words)).toSorted();
  }

  test.each(["plain-user", "system:admin"] as const)("4. VAP protection: %s", async (user) => {
    await setPolicy([isIn(TYPE, A)]);
    await addPool(pool("web"));
    await untilRequirements("web", isIn(TYPE, A));
    // RBAC must not be what denies it.
    const rule = { apiGroups: ["karpenter.sh", "karpenter.k8s.aws"], resources: ["*"], verbs: ["*"] };
    await allow(rig.guest, "plain-user", "edits-karpenter", [rule]);
    for (const [kind, object] of GUARDED) {
      expect(await outcomesOf(rig.guest, user, object)).toEqual(
        expected(kind, user === "system:admin" ? SPEC_UNCHANGED : METADATA),
      );
    }
    expect(await judgeClaims(rig.guest, user, BY_HAND)).toEqual(all(BY_HAND, CLAIM_DENIED));
    const forged = user === ADMIN ? "allowed" : CLAIM_DENIED;
    expect(await judgeClaims(rig.guest, user, OWNED)).toEqual(all(OWNED, forged));
    const own = { ...GUARDED[0][1], metadata: { name: "own" } };
    const { status, body } = await create(rig.guest, user, own);
    expect([status, body.message]).toEqual([422, expect.stringContaining(DENIED.NodePool)]);
    expect(await isGone(nodePool("own"))).toBe(true);
    // Who keeps the pools is not locked out with them.
    expect(await attempt(rig.guest, OPERATOR, "UPDATE of the spec", GUARDED[0][1])).toBe("allowed");
    record(
      "4. VAP protection",
      `${user} creates, changes and deletes NodePool, EC2NodeClass; creates NodeClaims`,
      "denied",
    );
  });

  test("5. Policy update propagation", async () => {
    await setPolicy([isIn(TYPE, A, B)]);
    const names = [await addPool(kwokPool("staying", [isIn(TYPE, A)])), await addPool(kwokPool("moving"))];
    for (const name of names) await launchFor(name);
    const before = await Promise.all(names.map((name) => live(rig.guest, nodePool(name))));
    const [staying] = await nodesOf(rig.guest, "staying");
    expect((await nodesOf(rig.guest, "moving"))[0]).toMatchObject({ instanceType: B });
    await setPolicy([isIn(TYPE, A, C)]);
    const kept = await untilRequirements("staying", isIn(TYPE, A, C), isIn(TYPE, A));
    await untilRequirements("moving", isIn(TYPE, A, C));
    for (const { metadata } of before) {
      const { uid, generation } = metadata!;
      expect((await live(rig.guest, nodePool(metadata!.name!))).metadata).toMatchObject({
        uid,
        generation: generation! + 1,
      });
    }
    const isMoving = async () => (await nodesOf(rig.guest, "moving")).some(({ leaving }) => leaving !== undefined);
    await watch.until("Karpenter replaces the node that is no longer allowed", isMoving);
    expect(await nodesOf(rig.guest, "staying")).toEqual([staying]);
    record(
      "5. Policy update propagation",
      `policy ${A} ${B}, then ${A} ${C}; pools with a node ${A} and ${B}`,
      kept,
      `node ${A} stays, node ${B} is replaced`,
    );
  });

  test("6. NodeClass root volume policy (AWS)", async () => {
    await setPolicy([], { volumeSize: "90Gi", volumeType: "gp3", encrypted: true });
    const root = { deviceName: "/dev/xvda", ebs: { volumeSizeGiB: 500, volumeType: "IO1", iops: 4000 } };
    await put(rig.guest, nodeClass("default", { ...NODE_CLASS, blockDeviceMappings: [root] }));
    const devices = await untilBlockDevices({
      deviceName: "/dev/xvda",
      ebs: { encrypted: true, volumeSize: "90Gi", volumeType: "gp3" },
    });
    record("6. NodeClass root volume policy (AWS)", "policy 90Gi gp3 encrypted, class 500Gi io1", devices);
  });

  test("7. No AutoNodePolicy (permissive mode)", async () => {
    await put(rig.guest, nodeClass("default", NODE_CLASS));
    const name = await addPool(kwokPool("permissive", [isIn(TYPE, D)]));
    const passed = await untilRequirements(name, isIn(TYPE, D));
    const devices = await untilBlockDevices(BUILT_IN);
    record("7. No AutoNodePolicy (permissive mode)", `no policy, pool ${D}`, passed, devices);
  });

  test("8. Empty requirements (allow everything)", async () => {
    await setPolicy([]);
    const name = await addPool(kwokPool("unrestricted", [isIn(TYPE, D)]));
    const passed = await untilRequirements(name, isIn(TYPE, D));
    record(
      "8. Empty requirements (allow everything)",
      `policy without requirements, pool ${D}`,
      passed,
      await untilReady("Applied"),
    );
  });

  test("9. Policy deletion", async () => {
    await setPolicy([isIn(TYPE, A)], { volumeSize: "200Gi", volumeType: "io1", encrypted: true, iops: 3000 });
    const name = await addPool(kwokPool("released", [isIn(ARCH, "amd64")]));
    await untilRequirements(name, isIn(TYPE, A), isIn(ARCH, "amd64"));
    await untilBlockDevices({
      deviceName: "/dev/xvda",
      ebs: { encrypted: true, iops: 3000, volumeSize: "200Gi", volumeType: "io1" },
    });
    await launchFor(name);
    const before = await nodesOf(rig.guest, name);
    await remove(rig.management, ADMIN, policy([]));
    const released = await untilRequirements(name, isIn(ARCH, "amd64"));
    const devices = await untilBlockDevices(BUILT_IN);
    expect(await nodesOf(rig.guest, name)).toEqual(before);
    record("9. Policy deletion", `policy ${A} and 200Gi io1, then none`, released, devices, "its node stays");
  });

  test("10. AutoNodePolicy status", async () => {
    await setPolicy([isIn(TYPE, A)]);
    const name = await addPool(kwokPool("status"));
    await untilRequirements(name, isIn(TYPE, A));
    const good = await untilReady("Applied");
    expect(await readyOf(rig)).toMatchObject({ status: "True", observedGeneration: 1 });
    await closePools(rig.guest, name);
    await setPolicy([isIn(TYPE, B)]);
    const failed = await untilReady("PoolOutsidePolicy");
    const { status, message, observedGeneration } = (await readyOf(rig))!;
    expect([status, observedGeneration]).toEqual(["False", 2]);
    expect(message).toMatch(new RegExp(`^the policy does not reach the NodePool status: .*${REFUSAL}`));
    expect(await requirementsOf(rig, name)).toEqual([isIn(TYPE, A)]);
    await openPools(rig.guest);
    await untilRequirements(name, isIn(TYPE, B));
    const healed = await untilReady("Applied");
    record("10. AutoNodePolicy status", "policy applied, refused by the API server, applied", good, failed, healed);
  });

  test("11. Well-known name enforcement", async () => {
    const strict = { ...policy([isIn(TYPE, A)]), metadata: { name: "strict", namespace: NAMESPACE } };
    await put(rig.management, strict);
    const name = await addPool(kwokPool("ignoring", [isIn(TYPE, D)]));
    const passed = await untilRequirements(name, isIn(TYPE, D));
    const isTold = async () => watch.lines().some(({ code }) => code === "policy-ignored");
    await watch.until("it is told", isTold);
    await remove(rig.management, ADMIN, strict);
    record("11. Well-known name enforcement", `policy strict ${A}, pool ${D}`, passed, "log: policy-ignored");
  });

  test("the table of the plan", async () => {
    await expect(textTable(outcomes)).toMatchFileSnapshot("../watch-plan/outcomes.txt");
  });
});

const BUILT_IN = { deviceName: "/dev/xvda", ebs: { encrypted: true, volumeSize: "75Gi", volumeType: "gp3" } };

function wordsOf(entries: readonly Entry[]): string {
  return entries.map(({ key, values = [] }) => `${key.split("/")[1]} In [${values.join(" ")}]`).join(", ");
}
