/** Generates random pools with only drifted nodes: budgets, lifetimes, annotations, pods, limits. */
import fc from "fast-check";
import { disruptionReasons } from "../../../src/model/pools/disruption-reasons.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface SettleQuestion {
  readonly pool: Fields;
  readonly nodes: readonly { readonly claim: Fields; readonly node: Fields; readonly pods: readonly Fields[] }[];
  readonly at: string;
  readonly step: string;
  readonly until: string;
  readonly nodeTime: string;
}

const HOUR = 3_600_000;
/** All events are on this grid, so a clock with this step misses none. */
const STEP = HOUR / 2;
/** A Monday. Schedules repeat weekly, so a few more days are enough. */
const START = Date.UTC(2026, 10, 23);
const DAYS = 9;

const between = (min: number, max: number) => fc.integer({ min, max });
const halves = (hours: number) => `${Math.floor(hours)}h${hours % 1 === 0 ? "" : "30m"}`;
const time = (at: number) => new Date(at).toISOString().replace(".000Z", "Z");

const minute = fc.constantFrom("0", "30", "0,30");
const hour = fc.oneof(between(0, 23).map(String), fc.constantFrom("*", "*/2", "*/6", "0,12", "8-17", "1-23/2", "9,21"));
const weekday = fc.constantFrom("*", "*", "mon-fri", "sat,sun", "1", "0,3", "tue-thu", "fri");
const schedule = fc.oneof(
  fc.tuple(minute, hour, weekday).map(([minute, hour, weekday]) => `${minute} ${hour} * * ${weekday}`),
  fc.constantFrom("@daily", "@hourly", "@weekly", "0 9 * * 7"),
);
const duration = fc.oneof(
  between(1, 48).map((count) => halves(count / 2)),
  fc.constantFrom("24h", "48h", "120h", "168h", "30m", "12h"),
);
const times = fc.option(fc.tuple(schedule, duration), { freq: 3, nil: undefined });
const nodes = fc.oneof(
  fc.constantFrom("0", "0", "0%", "1", "2", "10%", "50%", "100%", "4294967296"),
  between(1, 12).map(String),
);
const reasons = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  fc.constantFrom(["Drifted"], ["Empty"], ["Drifted", "Underutilized"], []),
  fc.subarray(disruptionReasons("karpenter-1.14")),
);
const budget = fc.tuple(nodes, reasons, times).map(([nodes, reasons, times]) => ({
  nodes,
  ...(reasons === undefined ? {} : { reasons }),
  ...(times === undefined ? {} : { schedule: times[0], duration: times[1] }),
}));

/** Windows with gaps of at most an hour, which together may block a pool forever. */
const halvesOfADay = fc.tuple(between(0, 23), fc.constantFrom(0, 0, 1)).map(([hour, gap]) => [
  { nodes: "0", schedule: `0 ${hour} * * *`, duration: "12h" },
  { nodes: "0", schedule: `0 ${(hour + 12) % 24} * * *`, duration: `${12 - gap}h` },
]);
const halvesOfAWeek = fc.constantFrom("24h", "23h30m").map((duration) => [
  { nodes: "0", schedule: "0 0 * * mon-fri", duration: "24h" },
  { nodes: "0%", schedule: "0 0 * * sat,sun", duration, reasons: ["Drifted"] },
]);
const budgets = fc.oneof(
  { weight: 6, arbitrary: fc.array(budget, { maxLength: 3 }) },
  { weight: 1, arbitrary: halvesOfADay },
  { weight: 1, arbitrary: halvesOfAWeek },
  { weight: 1, arbitrary: fc.tuple(halvesOfADay, budget).map(([all, one]) => [...all, one]) },
);

const expireAfter = fc.oneof(
  { weight: 2, arbitrary: fc.constant("Never") },
  between(1, 12 * 48).map((count) => halves(count / 2)),
);
const gracePeriod = fc.option(
  between(0, 48).map((count) => halves(count / 2)),
  { freq: 2, nil: undefined },
);

const pod = fc.record({
  value: fc.constantFrom("true", "false", "4h", "90m", "-1h", "soon"),
  age: between(0, 24),
  phase: fc.constantFrom("Running", "Running", "Succeeded"),
});

const node = fc.record({
  age: between(0, 20 * 48),
  expireAfter,
  gracePeriod,
  guarded: fc.constantFrom("true", "false", "4h", undefined, undefined, undefined, undefined, undefined, undefined),
  pods: fc.array(pod, { maxLength: 1 }),
});

const world = fc.record({
  budgets,
  nodes: fc.array(node, { minLength: 1, maxLength: 10 }),
  // Whether each node ends without drift.
  bounded: fc.constantFrom(true, false, false),
  at: between(0, 7 * 48 - 1),
  nodeTime: fc.constantFrom(1, 1, 2, 4),
  // Room for nodes beyond the replicas of static pools.
  room: fc.option(between(-1, 3), { freq: 3, nil: undefined }),
});

export const settleQuestion: fc.Arbitrary<SettleQuestion> = world.map(
  ({ budgets, nodes, bounded, at: steps, nodeTime, room }) => {
    const at = START + steps * STEP;
    const replicas = nodes.length;
    const ofRoom = room === undefined ? {} : { replicas, limits: { nodes: String(replicas + room) } };
    return {
      pool: {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata: { name: "web" },
        spec: { template: { spec: {} }, disruption: { consolidateAfter: "Never", budgets }, ...ofRoom },
      },
      nodes: nodes.map((one, index) => nodeObjects(bounded ? ending(one) : one, index, at)),
      at: time(at),
      step: "30m",
      until: time(at + DAYS * 24 * HOUR),
      nodeTime: halves(nodeTime / 2),
    };
  },
);

type Node = typeof node extends fc.Arbitrary<infer T> ? T : never;

function ending({ expireAfter, gracePeriod = "1h30m", ...node }: Node): Node {
  return { ...node, expireAfter: expireAfter === "Never" ? "36h" : expireAfter, gracePeriod };
}

const POOL = { "karpenter.sh/nodepool": "web" };

function nodeObjects({ age, expireAfter, gracePeriod, guarded, pods }: Node, index: number, at: number) {
  const name = `n${index}`;
  const annotations = guarded === undefined ? {} : { annotations: { "karpenter.sh/do-not-disrupt": guarded } };
  const providerID = `test:///${name}`;
  return {
    claim: {
      apiVersion: "karpenter.sh/v1",
      kind: "NodeClaim",
      metadata: { name, creationTimestamp: time(at - age * STEP), labels: POOL },
      spec: {
        nodeClassRef: { group: "karpenter.sh", kind: "NodePool", name: "default" },
        requirements: [],
        expireAfter,
        ...(gracePeriod === undefined ? {} : { terminationGracePeriod: gracePeriod }),
      },
      status: { nodeName: name, providerID },
    },
    node: {
      apiVersion: "v1",
      kind: "Node",
      metadata: {
        name,
        labels: { ...POOL, "karpenter.sh/initialized": "true", "karpenter.sh/registered": "true" },
        ...annotations,
      },
      spec: { providerID },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    },
    pods: pods.map(({ value, age: hours, phase }, number) => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: `${name}-${number}`,
        namespace: "default",
        annotations: { "karpenter.sh/do-not-disrupt": value },
      },
      spec: { nodeName: name },
      status: { phase, startTime: time(at - hours * HOUR) },
    })),
  };
}
