/** Each reason why Karpenter leaves a node: what makes it, its code, and when it ends. */
import { describe, expect, it } from "vitest";
import { readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { KARPENTER_MESSAGES } from "../../karpenter/events/messages.ts";
import type { KarpenterGate } from "../../model/settings/karpenter-options.ts";
import { type Blocker, EVENT_CODES, LEAVING_REASONS, type LeavingReason, SILENT_CODES } from "./blocker.ts";
import { blockersOf, candidateBlockers } from "./blockers.ts";
import { budgetRoom } from "./budget-room.ts";
import { nodeStates } from "./node-state.ts";
import { type DisruptedPool, disruptedPool, type DisruptionWorld } from "./world.ts";

const AT = Date.UTC(2026, 10, 23, 9);

type Fields = Record<string, unknown>;

function object(apiVersion: string, kind: string, name: string, { metadata = {}, ...rest }: Fields) {
  return { apiVersion, kind, name, value: { apiVersion, kind, metadata: { name, ...(metadata as Fields) }, ...rest } };
}

function condition(type: string, status: string, more: Fields = {}): Fields {
  return { type, status, reason: type, lastTransitionTime: "2026-11-23T08:00:00Z", ...more };
}

interface Given {
  readonly name?: string;
  readonly claim?: false | Fields;
  readonly node?: false | Fields;
  readonly labels?: Fields;
  readonly annotations?: Fields;
  /** Of the NodeClaim, beside Initialized and Consolidatable. */
  readonly conditions?: readonly Fields[];
  readonly consolidatable?: boolean;
  readonly status?: Fields;
  readonly spec?: Fields;
  /** Of the Node. */
  readonly ready?: Fields;
  readonly taints?: readonly Fields[];
  readonly pods?: readonly Fields[];
}

const LABELS = {
  "karpenter.sh/nodepool": "web",
  "karpenter.sh/registered": "true",
  "karpenter.sh/initialized": "true",
  "karpenter.sh/capacity-type": "on-demand",
  "topology.kubernetes.io/zone": "us-east-1a",
  "node.kubernetes.io/instance-type": "m5.large",
};

/** A node that Karpenter may take for every reason but health, with its pods. */
function objectsOf({ name = "n1", claim, node, ...given }: Given) {
  const labels = { ...LABELS, ...given.labels };
  const conditions = [
    condition("Initialized", "True"),
    ...(given.consolidatable === false ? [] : [condition("Consolidatable", "True")]),
    ...(given.conditions ?? []),
  ];
  return [
    ...(claim === false
      ? []
      : [
          object("karpenter.sh/v1", "NodeClaim", `web-${name}`, {
            metadata: { labels, creationTimestamp: "2026-10-01T00:00:00Z", ...claim },
            spec: { expireAfter: "720h", ...given.spec },
            status: { providerID: `aws:///${name}`, nodeName: name, conditions, ...given.status },
          }),
        ]),
    ...(node === false
      ? []
      : [
          object("v1", "Node", name, {
            metadata: { labels, annotations: given.annotations ?? {}, ...node },
            spec: { providerID: `aws:///${name}`, taints: given.taints ?? [] },
            status: { conditions: [given.ready ?? condition("Ready", "True")] },
          }),
        ]),
    ...(given.pods ?? []).map((pod, index) =>
      object("v1", "Pod", `p${String(index)}`, {
        ...pod,
        metadata: {
          namespace: "shop",
          ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet" }],
          ...(pod["metadata"] as Fields | undefined),
        },
        spec: { nodeName: name },
        status: { phase: "Running", startTime: "2026-11-23T08:00:00Z" },
      }),
    ),
  ];
}

const POOL: DisruptedPool = {
  name: "web",
  resource: undefined as never,
  budgets: [],
  policy: "WhenEmptyOrUnderutilized",
  consolidateAfter: { text: "30m", length: 1_800_000 },
  replicas: undefined,
  limit: undefined,
  refills: true,
  knowsType: () => "yes",
};

interface World extends Partial<Omit<DisruptionWorld, "pools" | "gates">> {
  readonly pool?: Partial<DisruptedPool> | undefined;
  readonly gates?: readonly KarpenterGate[];
  readonly budgets?: Parameters<typeof readBudget>[0][];
}

function worldOf(given: readonly Given[], { pool, gates = ["NodeRepair"], budgets = [], ...more }: World = {}) {
  const nodes = nodeStates(given.flatMap(objectsOf));
  const web = { ...POOL, ...pool, budgets: budgets.map(readBudget) };
  return {
    at: AT,
    profile: "karpenter-1.15",
    gates: new Set(gates),
    pools: new Map(pool === undefined || pool.name !== "" ? [["web", web]] : []),
    nodes,
    isRepairKnown: true,
    nominated: new Map(),
    buffered: new Set(),
    ...more,
  } as DisruptionWorld;
}

const POD = {};
const DRIFTED = condition("Drifted", "True", { reason: "NodePoolDrifted" });
const UNREADY = condition("Ready", "False");

function blockersIn(reason: LeavingReason, given: Given, world?: World): readonly Blocker[] {
  const of = worldOf([given], world);
  return blockersOf(of.nodes[0]!, reason, of);
}

const codes = (all: readonly Blocker[]): string[] => all.map(({ code }) => code);

/** A node that goes for the reason. */
const GOING: Readonly<Record<LeavingReason, Given>> = {
  Empty: {},
  Drifted: { conditions: [DRIFTED] },
  Underutilized: { pods: [POD] },
  Unhealthy: { ready: UNREADY },
  Expired: {},
};

const REASONS = LEAVING_REASONS;

it.each(REASONS)("%s: a node without blockers", (reason) => {
  expect(blockersIn(reason, GOING[reason])).toStrictEqual([]);
});

describe("the node itself", () => {
  const held = ["Empty", "Drifted", "Underutilized"];
  it.each<[string, Given, World | undefined, string, readonly string[]]>([
    ["is not of Karpenter", { claim: false }, undefined, "node-not-of-karpenter", REASONS],
    ["has no Node yet", { node: false }, undefined, "node-not-initialized", [...held, "Unhealthy"]],
    [
      "is not registered",
      { labels: { "karpenter.sh/registered": "" }, node: { labels: {} } },
      undefined,
      "node-not-initialized",
      [...held, "Unhealthy"],
    ],
    ["is not initialized", { labels: { "karpenter.sh/initialized": "" } }, undefined, "node-not-initialized", held],
    [
      "is being deleted",
      { claim: { labels: LABELS, deletionTimestamp: "2026-11-23T08:59:00Z" } },
      undefined,
      "node-is-going",
      REASONS,
    ],
    [
      "is being disrupted",
      { taints: [{ key: "karpenter.sh/disrupted", effect: "NoSchedule" }] },
      undefined,
      "node-is-going",
      REASONS,
    ],
    [
      "is being rebooted",
      { conditions: [DRIFTED, condition("Rebooting", "True")] },
      undefined,
      "node-is-going",
      [...held, "Unhealthy"],
    ],
    ["gets a pending pod", {}, { nominated: new Map([["n1", "shop/new"]]) }, "node-nominated", [...held, "Unhealthy"]],
    [
      "has the annotation",
      { annotations: { "karpenter.sh/do-not-disrupt": "true" } },
      undefined,
      "node-do-not-disrupt",
      held,
    ],
    [
      "may not be repaired",
      { annotations: { "karpenter.sh/do-not-repair": "true" } },
      undefined,
      "repair-blocked",
      ["Unhealthy"],
    ],
    ["has no pool", {}, { pool: { name: "" } }, "pool-not-found", [...held, "Unhealthy"]],
    ["is of a pool without types", {}, { pool: { knowsType: () => "none" } }, "pool-not-found", [...held, "Unhealthy"]],
  ])("%s", (_what, given, world, code, reasons) => {
    for (const reason of REASONS) {
      const found = codes(blockersIn(reason, { ...GOING[reason], ...given }, world));
      expect([reason, found.includes(code)]).toStrictEqual([reason, reasons.includes(reason)]);
    }
  });

  it("names every blocker", () => {
    const annotations = { "karpenter.sh/do-not-disrupt": "true" };
    const pod = { metadata: { annotations } };
    const given = { annotations, labels: { "karpenter.sh/initialized": "" }, pods: [pod], consolidatable: false };
    const world = { pool: { policy: "WhenEmpty" }, budgets: [{ nodes: "0" }] };
    expect(codes(blockersIn("Underutilized", given, world))).toStrictEqual([
      "node-not-initialized",
      "node-do-not-disrupt",
      "pod-do-not-disrupt",
      "only-empty-consolidated",
      "budget-blocks",
    ]);
  });
});

describe("its pods", () => {
  const guarded = { metadata: { annotations: { "karpenter.sh/do-not-disrupt": "true" } } };
  it.each<[LeavingReason, Given, readonly string[]]>([
    ["Underutilized", { pods: [guarded] }, ["pod-do-not-disrupt"]],
    ["Drifted", { pods: [guarded], conditions: [DRIFTED] }, ["pod-do-not-disrupt"]],
    ["Drifted", { pods: [guarded], conditions: [DRIFTED], spec: { terminationGracePeriod: "1h" } }, []],
    ["Underutilized", { pods: [guarded], spec: { terminationGracePeriod: "1h" } }, ["pod-do-not-disrupt"]],
    ["Unhealthy", { pods: [guarded], ready: UNREADY }, []],
    ["Expired", { pods: [guarded] }, []],
    ["Empty", { pods: [POD] }, ["not-empty"]],
    ["Empty", { pods: [{ metadata: { ownerReferences: [{ apiVersion: "apps/v1", kind: "DaemonSet" }] } }] }, []],
    ["Empty", { pods: [{ metadata: { annotations: { "karpenter.sh/disruption-cost": "-2147483648" } } }] }, []],
    ["Underutilized", {}, ["empty"]],
  ])("%s %j: %j", (reason, given, expected) => {
    expect(codes(blockersIn(reason, given))).toStrictEqual(expected);
  });
});

describe("its pool", () => {
  it.each<[LeavingReason, Given, World, readonly string[]]>([
    ["Empty", {}, { pool: { replicas: 1 } }, ["static-pool"]],
    ["Underutilized", { pods: [POD] }, { pool: { replicas: 1 } }, ["static-pool"]],
    ["Empty", {}, { pool: { consolidateAfter: { text: "Never", length: undefined } } }, ["consolidation-off"]],
    ["Empty", {}, { pool: { policy: "WhenEmpty" } }, []],
    ["Underutilized", { pods: [POD] }, { pool: { policy: "WhenEmpty" } }, ["only-empty-consolidated"]],
    ["Empty", {}, { buffered: new Set(["n1"]) }, ["buffer-pods"]],
    ["Underutilized", { pods: [POD] }, { pool: { knowsType: () => "no" } }, ["type-not-found"]],
    ["Empty", {}, { pool: { knowsType: () => "no" } }, []],
    [
      "Underutilized",
      { pods: [POD], labels: { "topology.kubernetes.io/zone": undefined } },
      {},
      ["node-label-missing"],
    ],
    ["Drifted", {}, {}, ["not-drifted"]],
    ["Drifted", { conditions: [DRIFTED] }, { pool: { replicas: 1 } }, []],
    ["Drifted", { conditions: [DRIFTED] }, { pool: { replicas: 1, limit: 2 } }, []],
    ["Drifted", { conditions: [DRIFTED] }, { pool: { replicas: 1, limit: 1 } }, ["static-at-limit"]],
    ["Drifted", { conditions: [DRIFTED] }, { pool: { replicas: 1, limit: 1 }, gates: ["TerminateFirstDrift"] }, []],
    ["Drifted", { conditions: [DRIFTED] }, { pool: { replicas: 0 } }, ["surplus-replicas"]],
    ["Unhealthy", { ready: UNREADY }, { pool: { replicas: 1, limit: 1 } }, ["static-at-limit"]],
    ["Unhealthy", { ready: UNREADY }, { gates: [] }, ["repair-off"]],
    ["Unhealthy", {}, {}, ["healthy"]],
    ["Unhealthy", { ready: UNREADY }, { isRepairKnown: false }, ["repair-unknown"]],
    ["Expired", { spec: { expireAfter: "Never" } }, {}, ["never-expires"]],
  ])("%s %j %j: %j", (reason, given, world, expected) => {
    expect(codes(blockersIn(reason, given, world))).toStrictEqual(expected);
  });
});

describe("what ends by itself", () => {
  it.each<[LeavingReason, Given, World, string, string | undefined]>([
    [
      "Empty",
      { consolidatable: false, status: { lastPodEventTime: "2026-11-23T08:45:00Z" } },
      {},
      "consolidate-after",
      "09:15",
    ],
    ["Empty", { consolidatable: false }, {}, "consolidate-after", undefined],
    ["Expired", { spec: { expireAfter: "1282h" } }, {}, "not-expired", "10:00"],
    [
      "Unhealthy",
      { ready: { ...UNREADY, lastTransitionTime: "2026-11-23T08:40:00Z" } },
      {},
      "unhealthy-tolerated",
      "09:10",
    ],
    [
      "Unhealthy",
      {
        ready: condition("AcceleratedHardwareReady", "False", {
          reason: "NvidiaXID64Error",
          lastTransitionTime: "2026-11-23T08:55:00Z",
        }),
      },
      {},
      "unhealthy-tolerated",
      "09:05",
    ],
    [
      "Underutilized",
      { pods: [{ metadata: { annotations: { "karpenter.sh/do-not-disrupt": "2h" } } }] },
      {},
      "pod-do-not-disrupt",
      "10:00",
    ],
    ["Empty", {}, { budgets: [{ nodes: "0" }] }, "budget-blocks", undefined],
    ["Empty", {}, { budgets: [{ nodes: "0", schedule: "0 8 * * *", duration: "2h" }] }, "budget-blocks", "10:00"],
    [
      "Empty",
      {},
      {
        budgets: [
          { nodes: "0", schedule: "0 8 * * *", duration: "2h" },
          { nodes: "0", reasons: ["Empty"], schedule: "30 9 * * *", duration: "2h" },
        ],
      },
      "budget-blocks",
      "11:30",
    ],
    ["Empty", {}, { budgets: [{ nodes: "x" }] }, "budget-blocks", undefined],
  ])("%s %j %j: %s until %s", (reason, given, world, code, until) => {
    const [first] = blockersIn(reason, given, world);
    const end = first?.until;
    const time = end === undefined ? undefined : new Date(end).toISOString().slice(11, 16);
    expect([first?.code, time]).toStrictEqual([code, until]);
  });
});

it("counts nodes that are going or not ready against the budget, but for repair", () => {
  const other = { name: "n2", ready: UNREADY };
  const world = worldOf([{ conditions: [DRIFTED] }, other], { budgets: [{ nodes: "1" }] });
  const [first, second] = world.nodes;
  expect(blockersOf(first!, "Drifted", world)).toMatchObject([
    {
      code: "budget-used",
      message:
        'budget 1 (nodes: "1") of NodePool web lets 1 of 2 nodes go for Drifted at once, and 1 are going or not ready',
    },
  ]);
  expect(candidateBlockers(first!, "Drifted", world)).toStrictEqual([]);
  const room = { allowed: 1, used: 1, left: 0, counted: 2, error: undefined };
  expect(budgetRoom(world.pools.get("web")!, "Drifted", world)).toStrictEqual(room);
  expect(blockersOf(second!, "Unhealthy", world)).toStrictEqual([]);
});

it("repairs none of a pool of which more than a fifth is unhealthy", () => {
  const world = worldOf([{ ready: UNREADY }, { name: "n2", ready: UNREADY }, { name: "n3" }]);
  expect(codes(blockersOf(world.nodes[0]!, "Unhealthy", world))).toStrictEqual(["repair-unhealthy-share"]);
});

it("repairs without asking budgets, pods and annotations up to 1.14", () => {
  const annotations = { "karpenter.sh/do-not-disrupt": "true", "karpenter.sh/do-not-repair": "true" };
  const world = { profile: "karpenter-1.14" as const, budgets: [{ nodes: "0" }] };
  expect(blockersIn("Unhealthy", { ready: UNREADY, annotations }, world)).toStrictEqual([]);
});

it("gives each code with an event the id of its message", () => {
  const ids = new Set(KARPENTER_MESSAGES.map(({ id }) => id));
  expect(EVENT_CODES.filter((code) => !ids.has(code))).toStrictEqual([]);
  expect(SILENT_CODES.filter((code) => ids.has(code))).toStrictEqual([]);
});

it.each<[Fields, Fields, object]>([
  [{}, {}, { policy: "WhenEmptyOrUnderutilized", consolidateAfter: { text: "0s", length: 0 }, limit: undefined }],
  [
    { limits: { nodes: "3" }, disruption: { consolidationPolicy: "Balanced", consolidateAfter: "Never" } },
    { status: { conditions: [condition("Ready", "True")] } },
    { policy: "Balanced", consolidateAfter: { text: "Never", length: undefined }, limit: 3, refills: true },
  ],
  [
    {},
    { metadata: { deletionTimestamp: "2026-11-23T08:00:00Z" }, status: { conditions: [condition("Ready", "True")] } },
    { refills: false },
  ],
])("reads of a NodePool %j %j: %j", (spec, value, expected) => {
  const pool = { name: "web", wrapper: { value }, spec, replicas: undefined };
  expect(disruptedPool(pool as never, () => "yes")).toMatchObject(expected);
});
