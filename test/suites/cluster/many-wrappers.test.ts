/** However many wrappers a guest cluster has: none is searched for among all, and the event loop has its turns. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { succeeded } from "../../../src/cluster/api/api-answer.ts";
import type { ClusterApi } from "../../../src/cluster/api/cluster-api.ts";
import type { LiveObject } from "../../../src/cluster/api/live-object.ts";
import { nothing, type PlanInput } from "../../../src/cluster/plan/step.ts";
import { planPrune } from "../../../src/cluster/plan/plan-prune.ts";
import { eventRecorder } from "../../../src/cluster/status/event-recorder.ts";
import { eventsOf } from "../../../src/cluster/status/events-of.ts";
import { outcomesOf } from "../../../src/cluster/status/outcomes.ts";
import { writeStatus } from "../../../src/cluster/status/write-status.ts";
import type { WatchedCluster } from "../../../src/cluster/objects/watched-cluster.ts";
import {
  fakeFleet,
  GUEST_EVENTS,
  NODE_POOLS,
  policiesOf,
  WRAPPERS,
} from "../../support/cluster/fake-hosted-cluster.ts";
import { ARCH, isIn, policy, pool } from "../../support/watch/inputs.ts";
import { runInProcess } from "../../support/watch/run-in-process.ts";

const MANY = 1000;

/** Objects of a kind that count how often anybody asks for their metadata. */
function counted(kind: string, spec: object = {}) {
  const count = { asked: 0 };
  const objects = Array.from({ length: MANY }, (_, index) => {
    const metadata = { name: `p${index}`, uid: `${kind}-${index}`, resourceVersion: "1" };
    return {
      apiVersion: "karpenter.sh/v1",
      kind,
      spec,
      get metadata() {
        count.asked++;
        return metadata;
      },
    } as LiveObject;
  });
  return { objects, count };
}

/** Of each object a few times, and never of each one for each other one. */
const FEW = 20 * MANY;

const ready = { status: "True", reason: "Applied", message: "" } as const;
const patchStatus = () => Promise.resolve(succeeded({} as LiveObject));
const cluster = { management: undefined, guest: { patchStatus } as Partial<ClusterApi> } as WatchedCluster;

function tellOf(kind: "NodePool" | "EC2NodeClass") {
  const live = counted(kind);
  const wrappers = counted(`Openshift${kind}`);
  const results = live.objects.map((object, index) => {
    const step = { ...nothing(kind, `p${index}`), action: "hold" as const, live: object, reason: "held" };
    return { step, outcome: "none" as const };
  });
  const guest = {
    wrappers: wrappers.objects,
    live: live.objects,
    unread: new Set<string>(),
    problems: [],
    malformed: [],
  };
  const inputs = { guest: { ...guest, wrappersSince: new Map() }, policy: undefined };
  const verdicts = live.objects.map((_, index) => ({
    pool: `p${index}`,
    verdict: "unsatisfiable" as const,
    why: "",
    byPolicy: false,
  }));
  const outcomes = outcomesOf({
    executed: { results, refused: undefined },
    conflicts: [],
    verdicts,
    usersOutside: [],
    crds: [],
    nodeLimits: { pools: [], failures: [] },
    malformed: [],
    inventory: { state: "missing" },
    dryRun: false,
  });
  return { live, wrappers, pass: { inputs, outcomes, verdicts, limits: [], ready, cluster } };
}

test("events: each wrapper is found at once", () => {
  const { wrappers, pass } = tellOf("NodePool");
  expect(eventsOf(pass)).toHaveLength(2 * MANY);
  expect(wrappers.count.asked).toBeLessThan(FEW);
});

test("status: each live object is found at once", async () => {
  const { live, wrappers, pass } = tellOf("EC2NodeClass");
  const signal = new AbortController().signal;
  const inputs = pass.inputs as unknown as Parameters<typeof writeStatus>[0]["inputs"];
  await writeStatus({ ...pass, inputs, isHeld: false, now: "2026-01-01T00:00:00Z", signal });
  expect(live.count.asked).toBeLessThan(FEW);
  expect(wrappers.count.asked).toBeLessThan(FEW);
});

test("pruning: the pools that name a class are looked for once for all classes", () => {
  const classes = counted("EC2NodeClass");
  const nodeClassRef = { name: "p5" };
  const pools = counted("NodePool", { template: { spec: { nodeClassRef } } });
  const live = [...classes.objects, ...pools.objects];
  const input: PlanInput = {
    desired: [],
    held: new Map(),
    live,
    wrappers: new Set(pools.objects.map((_, index) => `OpenshiftNodePool/p${index}`)),
    wrappersKnown: true,
    wrappersSince: new Map([["OpenshiftEC2NodeClass", undefined]]),
    inventory: new Map(
      classes.objects.map((_, index) => [
        `EC2NodeClass/p${index}`,
        { kind: "EC2NodeClass", name: `p${index}`, uid: `EC2NodeClass-${index}` },
      ]),
    ),
    setId: "set",
  };
  const steps = planPrune(input, new Set(), {
    adopt: new Set<string>(),
    pruneBlocked: undefined,
    allowEmpty: true,
    maxPrune: 9 * MANY,
  });
  expect(steps.filter(({ action }) => action === "keep").map(({ name, reason }) => [name, reason])).toEqual([
    ["p5", "EC2NodeClass p5 stays: NodePool p0 still refers to it"],
  ]);
  expect(pools.count.asked).toBeLessThan(FEW);
});

test("of thousands of new events a pass tells some, and the next ones the others", async () => {
  const written = new Set<string>();
  const guest = {
    create: async (_: unknown, { metadata }: { metadata: { name: string } }) => {
      written.add(metadata.name);
      return { ok: true };
    },
  } as unknown as ClusterApi;
  const now = () => new Date("2026-01-01T00:00:00Z");
  const recorder = eventRecorder({ guest, management: undefined, instance: "a", now, dryRun: false });
  const events = eventsOf(tellOf("NodePool").pass);
  const counts: number[] = [];
  for (let pass = 0; pass < 5; pass++) {
    expect(await recorder.record(events)).toEqual([]);
    counts.push(written.size);
  }
  expect(counts).toEqual([500, 1000, 1500, 2000, 2000]);
});

test("a pass over thousands of wrappers lets the event loop have its turns", async () => {
  const fleet = await fakeFleet(["c1"]);
  try {
    const guest = fleet.guest("c1");
    fleet.management.put(policiesOf("c1"), {
      ...policy([isIn(ARCH, "amd64")]),
      metadata: { name: "default", namespace: "clusters-c1" },
    });
    for (let index = 0; index < 1.5 * MANY; index++) guest.put(WRAPPERS, pool(`p${index}`, [isIn(ARCH, "arm64")]));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const begun = performance.now();
    const { ended, state } = runInProcess(fleet.specs, { once: true });
    await ended;
    const took = performance.now() - begun;
    delay.disable();
    expect(state("c1")?.last?.ready.reason).toBe("RequirementsConflict");
    expect(guest.objects(NODE_POOLS)).toHaveLength(1.5 * MANY + 1);
    expect(guest.objects(GUEST_EVENTS).length).toBeLessThanOrEqual(500);
    // Beside others that load the machine only a part of the whole says anything.
    expect(delay.max / 1e6).toBeLessThan(took / 2);
  } finally {
    fleet.close();
  }
});

test("thousands of odd NodePools of users neither hinder a pass, nor change what it says of wrappers", async () => {
  const fleet = await fakeFleet(["c1"], { render: { nodePools: "Raw" } });
  try {
    const guest = fleet.guest("c1");
    fleet.management.put(policiesOf("c1"), {
      ...policy([isIn(ARCH, "amd64")]),
      metadata: { name: "default", namespace: "clusters-c1" },
    });
    await runInProcess(fleet.specs, { once: true }).ended;
    const nodeClassRef = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "default" };
    const template = (requirements: unknown, metadata: object = {}) => ({
      template: { metadata, spec: { nodeClassRef, requirements } },
      disruption: { consolidateAfter: "0s" },
    });
    const values = Array.from({ length: 2000 }, (_, index) => `value-${index}`);
    const odd = [
      template("x"),
      template([null, 5, { key: 5, operator: "In", values: 7 }]),
      template(Array.from({ length: 500 }, () => ({ key: ARCH, operator: "In", values: ["amd64"] }))),
      template([{ key: ARCH, operator: "In", values }]),
      template([], { labels: { "example.com/arch": "x".repeat(63) } }),
      JSON.parse('{"template":{"spec":{"__proto__":{"requirements":[]}}},"limits":{"nodes":{}}}') as object,
    ];
    for (let index = 0; index < 1.5 * MANY; index++)
      guest.put(NODE_POOLS, { metadata: { name: `u${index}` }, spec: odd[index % odd.length] });
    const before = guest.objects(NODE_POOLS);
    guest.put(WRAPPERS, pool("batch"));
    guest.asked.length = 0;
    const earlier = guest.objects(GUEST_EVENTS).length;
    const { ended, state } = runInProcess(fleet.specs, { once: true });
    await ended;
    const last = state("c1")!.last!;
    // Those with the policy's entry alone, however often, are within it.
    expect([last.result, last.outside]).toEqual(["held", (1.5 * MANY * (odd.length - 1)) / odd.length]);
    expect(last.ready.message.length).toBeLessThan(1000);
    expect(guest.objects(NODE_POOLS).filter(({ metadata }) => metadata.name !== "batch")).toEqual(before);
    expect(guest.asked.filter(({ method, path }) => method === "GET" && path === NODE_POOLS)).toHaveLength(PAGES);
    const told = (guest.objects(GUEST_EVENTS) as unknown as { reason: string; note: string }[]).slice(earlier);
    expect(told.length).toBeLessThanOrEqual(500);
    // The event on the wrapper is not crowded out, and no event quotes a pool.
    expect(told[0]).toMatchObject({ reason: "Applied", note: "NodePool batch created" });
    expect(new Set(told.slice(1).map(({ note }) => note))).toEqual(
      new Set([`requirements on ${ARCH} admit nodes that the AutoNodePolicy does not`, "anp cannot read its spec"]),
    );
  } finally {
    fleet.close();
  }
});

/** One list, in pages of 500. */
const PAGES = Math.ceil((1.5 * MANY + 1) / 500);
