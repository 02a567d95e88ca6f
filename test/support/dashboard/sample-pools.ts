/** Fictional pools and node classes for tests of the dashboard. */
import type { DescribedPool } from "../../../src/analyze/explain/pool-answer.ts";
import type { Verdict } from "../../../src/analyze/explain/explanation.ts";
import type { NodeClassView, ObjectState, PassView, PoolView } from "../../../src/report/dashboard/fleet-view.ts";

export const NOW = Date.UTC(2026, 10, 22, 3, 0, 0);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

export const FOREIGN =
  "a NodePool legacy that is not of this watch's making stands there; --adopt NodePool/legacy takes it over";
export const INCOMPLETE =
  "OpenshiftEC2NodeClass gpu is not complete without amiSelectorTerms, userData: the HostedControlPlane and the user-data Secret hold them";

const IN_SYNC: ObjectState = { words: "in sync", why: "", tone: "calm" };
const GOES = "drifted nodes are replaced as its budgets allow; each node expires 720h after its creation";
const READY = { type: "Ready", status: "True", reason: "Ready", message: "" };

export function pool(name: string, verdict: Verdict, over: Partial<PoolView> = {}): PoolView {
  return {
    name,
    state: IN_SYNC,
    lastChange: undefined,
    conditions: [READY],
    judged: undefined,
    explained: () => describedPool(name, verdict),
    stay: () => ({ until: "goes", why: GOES }),
    nodeClass: "default",
    usage: [{ resource: "nodes", used: "3", limit: "10" }],
    ...over,
  };
}

export function nodeClass(name: string, over: Partial<NodeClassView> = {}): NodeClassView {
  return {
    name,
    state: IN_SYNC,
    lastChange: undefined,
    conditions: [READY],
    pools: ["batch", "legacy", "web", "worn"],
    found: [
      ["subnets", ["subnet-0a1b (us-east-1a)", "subnet-0c2d (us-east-1b)"]],
      ["security groups", ["sg-0e3f"]],
    ],
    ...over,
  };
}

const ARCH = "kubernetes.io/arch";

const LEFT: Readonly<Record<Verdict, readonly string[]>> = {
  ok: ["m5.large", "m5.xlarge", "m6i.large", "m6i.xlarge", "c6i.xlarge"],
  narrowed: ["m5.xlarge", "m6i.xlarge"],
  bypassed: ["m5.large"],
  unsatisfiable: [],
  unknown: [],
};

const CATALOGUE_SIZE = 1363;

const priced = (type: string, price: number) => ({ type, price, capacityType: "on-demand" });
const PRICES: DescribedPool["prices"] = {
  source: "list prices",
  region: "us-east-1",
  date: "2026-07",
  currency: "USD",
  perHour: {
    cheapest: priced("m5.large", 0.096),
    median: priced("m5.xlarge", 0.192),
    dearest: priced("m6i.xlarge", 0.192),
  },
  perVcpu: {
    cheapest: priced("c6i.xlarge", 0.0425),
    median: priced("m5.large", 0.048),
    dearest: priced("m6i.xlarge", 0.048),
  },
  unpriced: [],
  costs: [],
};

function describedPool(name: string, verdict: Verdict): DescribedPool {
  const names = LEFT[verdict];
  const place = (side: "management" | "guest") => ({
    file: side === "guest" ? `guest:openshiftnodepools/${name}` : "management:autonodepolicies/default",
    line: 0,
  });
  const policy = { key: ARCH, from: "policy", requirement: "In [amd64]", ...place("management") } as const;
  const asked = verdict === "unsatisfiable" ? "In [arm64]" : "In [amd64 arm64]";
  const user = { key: ARCH, from: "user", requirement: asked, ...place("guest") } as const;
  const values = verdict === "unsatisfiable" ? [] : ["amd64"];
  const effective = verdict === "unsatisfiable" ? "DoesNotExist" : "In [amd64]";
  return {
    name,
    hostedCluster: "clusters-c1",
    verdict,
    provider: { name: "aws", title: "Karpenter on AWS" },
    ...place("guest"),
    policy: place("management"),
    requirements: [
      {
        key: ARCH,
        policy: ["In [amd64]"],
        user: [asked],
        effective,
        set: { operator: values.length === 0 ? "DoesNotExist" : "In", values, gte: null, lte: null, minValues: null },
        outcome: verdict === "unsatisfiable" ? "empty-blocking" : verdict === "ok" ? "same" : "narrowed",
        entries: [policy, user],
      },
    ],
    instanceTypes: { total: CATALOGUE_SIZE, compatible: names.length, names },
    eliminated: [{ ...policy, types: CATALOGUE_SIZE - names.length, only: 0 }],
    otherConflicts: [],
    conflict: verdict === "unsatisfiable" ? [policy, user] : [],
    minValuesMissed: [],
    noNodes: [],
    zones: { allowed: [], excluded: [] },
    prices: names.length < 5 ? null : PRICES,
    taints: [],
    nodeClass: "default",
    weight: 0,
    order: { place: 1, of: 4 },
  };
}

const POOLS: readonly PoolView[] = [
  pool("batch", "narrowed", {
    lastChange: { words: "updated", at: NOW - 4 * MINUTE },
    usage: [
      { resource: "nodes", used: "12", limit: "12" },
      { resource: "cpu", used: "384", limit: "400" },
      { resource: "memory", used: "1536Gi", limit: "2Ti" },
    ],
  }),
  pool("gpu", "unsatisfiable", {
    usage: [{ resource: "nodes", used: "0", limit: undefined }],
    conditions: [
      { type: "Ready", status: "False", reason: "NodeClassNotReady", message: "ec2nodeclass gpu is not ready" },
    ],
    nodeClass: "gpu",
  }),
  pool("legacy", "ok", {
    state: {
      words: "foreign object",
      why: FOREIGN,
      tone: "warning",
    },
    conditions: [],
    usage: [],
  }),
  pool("web", "ok", {
    state: { words: "created", why: "", tone: "changed" },
    lastChange: { words: "created", at: NOW - 12 * SECOND },
  }),
  pool("worn", "bypassed", {
    state: { words: "held", why: "`spec.weight` must be at most 100", tone: "warning" },
    explained: () => undefined,
    stay: () => ({
      until: "never",
      why: "expireAfter is Never, and its budgets never allow a drifted node to be replaced",
    }),
    conditions: [],
    usage: [{ resource: "nodes", used: undefined, limit: "4" }],
  }),
];

const CLASSES: readonly NodeClassView[] = [
  nodeClass("default"),
  nodeClass("gpu", {
    state: { words: "held", why: INCOMPLETE, tone: "warning" },
    conditions: [
      { type: "Ready", status: "False", reason: "SubnetsNotReady", message: "" },
      {
        type: "SubnetsReady",
        status: "False",
        reason: "NoSubnets",
        message: "SubnetSelector did not match any Subnets",
      },
    ],
    pools: ["gpu"],
    found: [["subnets", []]],
  }),
];

export const opened = { pools: POOLS, nodeClasses: CLASSES };

/** As judged by the pass, with more details than an explanation. */
export const judgedPools: PassView["opened"] = () => ({
  pools: (
    [
      ["newest", "unknown", ""],
      ["rest", "paused", ""],
      ["wide", "unsatisfiable", "its name has 64 characters and becomes a label of each NodeClaim"],
    ] as const
  ).map(([name, verdict, why]) =>
    pool(name, "unsatisfiable", { judged: { pool: name, verdict, why, byPolicy: false } }),
  ),
  nodeClasses: [],
  troubles: [],
});

export function manyPools(count: number): PassView["opened"] {
  const verdicts: readonly Verdict[] = ["ok", "ok", "ok", "narrowed", "ok", "unsatisfiable"];
  const pools = Array.from({ length: count }, (_, index) =>
    pool(`pool-${String(index + 1).padStart(3, "0")}`, verdicts[index % verdicts.length]!, {
      usage: [{ resource: "nodes", used: String((index * 13) % 40), limit: index % 3 === 0 ? "40" : undefined }],
    }),
  );
  return () => ({ pools, nodeClasses: CLASSES, troubles: [] });
}
