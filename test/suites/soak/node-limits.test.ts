/** Hard limits with a real Karpenter: how many nodes pools have while they roll at their limit, and when it is lowered. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { APPENDED_ANNOTATION } from "../../../src/cluster/objects/appended-budget.ts";
import { valueAt } from "../../../src/krm/places/field-path.ts";
import type { KubernetesObject } from "../../support/controlplane/kubernetes-object.ts";
import { get } from "../../support/controlplane/objects.ts";
import { nodePool } from "../../support/watch/rig.ts";
import { type LimitsRig, type PoolWish, putPool, startLimitsRig } from "../../support/node-limits/limits-rig.ts";
import { startTimeline, type Timeline } from "../../support/node-limits/timeline.ts";
import { list } from "../../support/node-limits/workload.ts";

const EVERYTHING = [{ nodes: "100%" }];
const POOLS: Readonly<Record<string, PoolWish>> = {
  "hard-at-limit": { limit: 2, mode: "Hard", budgets: EVERYTHING },
  "hard-below": { limit: 3, mode: "Hard", budgets: EVERYTHING },
  soft: { limit: 3, mode: "Soft", budgets: EVERYTHING },
  shrinking: { limit: 4, mode: "Hard", budgets: [{ nodes: "1" }] },
};
const REPLICAS: Readonly<Record<string, number>> = { "hard-at-limit": 2, "hard-below": 2, soft: 3, shrinking: 4 };
const ROLLING = ["hard-at-limit", "hard-below", "soft"];

describe("Karpenter and a watch", () => {
  let rig: LimitsRig;
  let timeline: Timeline;

  beforeAll(async () => {
    rig = await startLimitsRig();
    timeline = startTimeline(rig.controlPlane, Object.keys(POOLS));
    rig.workload.guarded.add("shrinking-0");
    for (const [name, wish] of Object.entries(POOLS)) await putPool(rig, name, wish);
    // Pods that find no pool that is ready wait ten seconds for the next look.
    await reaches("all pools ready", async () =>
      (await Promise.all(Object.keys(POOLS).map(livePool))).every((pool) => conditionOf(pool, "Ready") === "True"),
    );
    for (const [name, count] of Object.entries(REPLICAS)) rig.workload.replicas.set(name, count);
    await reaches("all pods on nodes", async () => (await podsOnNodes()).length === 11);
    await reaches("budgets of ours", async () => (await ours("hard-at-limit")) === "0");
  });

  afterEach(({ task }) => {
    // oxlint-disable-next-line no-console
    if (task.result?.state === "fail") console.error(timeline?.table(), rig?.karpenter.log().slice(-10_000));
  });

  afterAll(async () => {
    // oxlint-disable-next-line no-console
    if (process.env["NODE_LIMITS_TABLE"] !== undefined) console.log(timeline?.table());
    await timeline?.stop();
    await rig?.stop();
  });

  test("budgets are appended beside the user's, in no pool with a Soft limit, and no node drifts for them", async () => {
    const budgets = await Promise.all(Object.keys(POOLS).map(async (name) => [name, await budgetsOf(name)]));
    const reasons = ["Drifted", "Underutilized"];
    expect(Object.fromEntries(budgets)).toEqual({
      "hard-at-limit": [...EVERYTHING, { nodes: "0", reasons }],
      "hard-below": [...EVERYTHING, { nodes: "1", reasons }],
      soft: EVERYTHING,
      shrinking: [{ nodes: "1" }, { nodes: "0", reasons }],
    });
    const hashes = new Set(await Promise.all(ROLLING.map(hashOf)));
    expect(hashes.size).toBe(1);
    expect(await drifted()).toEqual([]);
  });

  test("while nodes drift, Hard stays within its limit and Soft does not; a lowered limit costs no node", async () => {
    const peaks = timeline.mark();
    const before = await claimsOf("hard-at-limit");
    timeline.note("every node of the first three pools drifts; the limit of shrinking is lowered to 2");
    await putPool(rig, "shrinking", { ...POOLS["shrinking"]!, limit: 2 });
    for (const name of ROLLING) await putPool(rig, name, { ...POOLS[name]!, version: "2" });
    await reaches("the roll of the pool that may", async () => {
      const versions = await versionsOf("hard-below");
      return versions.length === 2 && versions.every((version) => version === "2");
    });
    expect(peaks()).toMatchObject({ "hard-at-limit": 2, "hard-below": 3, shrinking: 4 });
    expect(peaks()["soft"]).toBeGreaterThan(3);
    expect(await claimsOf("hard-at-limit")).toEqual(before);
    expect(await drifted()).toEqual(expect.arrayContaining(before));
    expect(await notesOn("hard-at-limit")).toEqual(
      expect.arrayContaining([
        "No allowed disruptions for disruption reason Drifted due to node hard limit",
        "No allowed disruptions for disruption reason Underutilized due to node hard limit",
      ]),
    );
    expect(await notesOn("soft")).not.toContainEqual(expect.stringContaining("node hard limit"));
    expect(stateOf("shrinking")).toMatchObject({ limit: 2, nodes: 4, surplus: 2, deleted: [] });
  });

  test("with a limit far above, the budget is taken back, and the pool rolls", async () => {
    const hash = await hashOf("hard-at-limit");
    const peaks = timeline.mark();
    timeline.note("the limit of hard-at-limit is raised to 8");
    await putPool(rig, "hard-at-limit", { ...POOLS["hard-at-limit"]!, limit: 8, version: "2" });
    await reaches("no budget of ours", async () => (await ours("hard-at-limit")) === undefined);
    expect(await budgetsOf("hard-at-limit")).toEqual(EVERYTHING);
    expect(await hashOf("hard-at-limit")).toBe(hash);
    await reaches("its roll", async () => (peaks()["hard-at-limit"] ?? 0) > 2);
  });

  test("in Full a lowered limit brings the nodes down, a budget's worth at a time, guarded pods last", async () => {
    const guarded = (await podsOnNodes()).find(({ metadata }) => metadata?.name === "shrinking-0")?.spec?.["nodeName"];
    const steps = timeline.steps("shrinking");
    timeline.note("nodeLimits: Full");
    rig.switchTo("Full");
    await reaches("its limit", async () => (await claimsOf("shrinking")).length === 2);
    // Karpenter launches nothing in their place, and watch deletes no more.
    await sleep(3000);
    expect(steps()).toEqual([4, 3, 2]);
    const left = (await podsOnNodes()).filter(({ metadata }) => metadata?.name?.startsWith("shrinking-"));
    expect(left.map(({ spec }) => spec?.["nodeName"])).toContain(guarded);
    expect(await notesOn("shrinking")).toContainEqual(
      expect.stringMatching(/^NodeClaim shrinking-\w+ deleted: there are more nodes than the limit of 2 \(cost\)$/),
    );
  });

  async function reaches(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    await rig.karpenter.waitFor(what, async () => {
      await sleep(100);
      return (await isTrue()) ? true : undefined;
    });
  }

  const stateOf = (name: string) => rig.last()?.nodeLimits.pools.find(({ pool }) => pool === name);

  const livePool = async (name: string) => (await get(rig.controlPlane, "system:admin", nodePool(name))).body;
  const budgetsOf = async (name: string) => valueAt(await livePool(name), ["spec", "disruption", "budgets"]);
  const hashOf = async (name: string) => (await livePool(name)).metadata?.annotations?.["karpenter.sh/nodepool-hash"];
  const ours = async (name: string) => (await livePool(name)).metadata?.annotations?.[APPENDED_ANNOTATION];

  const claims = () => list(rig.controlPlane, "/apis/karpenter.sh/v1/nodeclaims");
  const claimsOf = async (name: string) =>
    (await claims()).filter(isOf(name)).map(({ metadata }) => metadata?.name ?? "");
  const versionsOf = async (name: string) =>
    (await claims()).filter(isOf(name)).map(({ metadata }) => metadata?.labels?.["example.com/version"]);
  const drifted = async () =>
    (await claims())
      .filter((claim) => conditionOf(claim, "Drifted") === "True")
      .map(({ metadata }) => metadata?.name ?? "");

  const podsOnNodes = async () =>
    (await list(rig.controlPlane, "/api/v1/namespaces/default/pods")).filter(
      ({ spec }) => spec?.["nodeName"] !== undefined,
    );

  async function notesOn(name: string): Promise<unknown[]> {
    const events = await list(rig.controlPlane, "/apis/events.k8s.io/v1/namespaces/default/events");
    const isAbout = (regarding: unknown) =>
      valueAt(regarding, ["kind"]) === "OpenshiftNodePool" && valueAt(regarding, ["name"]) === name;
    return events.filter(({ regarding }) => isAbout(regarding)).map(({ note }) => note);
  }
});

function conditionOf(object: KubernetesObject, type: string): string | undefined {
  const conditions = valueAt(object, ["status", "conditions"]) as { type: string; status: string }[] | undefined;
  return conditions?.find((condition) => condition.type === type)?.status;
}

function isOf(pool: string) {
  return ({ metadata }: KubernetesObject) => metadata?.labels?.["karpenter.sh/nodepool"] === pool;
}
