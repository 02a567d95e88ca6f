/** The answer of `anp simulate` for one pool, with its budgets, timeline and rollout. */
import type { Span } from "../../karpenter/disruption/budget-window.ts";
import type { ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { type Candidate, inDeprovisioningOrder } from "../../karpenter/disruption/node-limit-candidates.ts";
import { mayProvision, type NodeLimit, surplusOf, worstCase } from "../../karpenter/disruption/node-limit.ts";
import { withoutStaticCapacity } from "../../karpenter/scheduling/no-nodes.ts";
import { lifetimeBounds } from "../../karpenter/disruption/lifetime-bounds.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import { listOf } from "../../krm/values/fields.ts";
import {
  DEFAULT_BUDGET_NODES,
  type DisruptionReason,
  disruptionReasons,
} from "../../model/pools/disruption-reasons.ts";
import { CHEAPER_SPOT_TYPES, type KarpenterGate } from "../../model/settings/karpenter-options.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import { DAY_MS, YEAR_MS } from "../../model/values/civil-date.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { type Convergence, convergenceOf, rolloutOfNodes } from "../running/convergence.ts";
import { roomOf, type RunningPool } from "../running/node-lifetime.ts";
import { type Rollout, rolloutOf } from "../running/rollout.ts";
import { eventsOf, type SimulatedEvent } from "./events.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { type DisruptionAnswer, disruptionAt, type Stretch, timeline } from "./timeline.ts";

interface PoolAnswer {
  readonly pool: SimulatedPool;
  readonly nodes: PoolNodes;
  /** Room under the limit; null without a limit. */
  readonly headroom: number | null;
  readonly provisioning: "allowed" | "blocked";
  /** Whether it is a static pool, and the feature gate for those is off. */
  readonly staticCapacityOff: boolean;
  readonly disruption: readonly DisruptionAnswer[];
  readonly events: readonly SimulatedEvent[];
  /** The nodes to remove, in the order of their removal. */
  readonly deprovision: readonly Candidate[];
}

function simulatePool(pool: SimulatedPool, nodes: PoolNodes, at: number): PoolAnswer {
  const { limit, profile, replicas, group, karpenter } = pool;
  const staticCapacityOff = withoutStaticCapacity({ replicas, group }, karpenter).length > 0;
  const disruption = disruptionAt(pool, nodes, at);
  // Karpenter scales a static pool down to its replicas.
  const above = replicas === undefined ? surplusOf(limit, nodes.active) : Math.max(0, nodes.active - replicas);
  const surplus = staticCapacityOff ? 0 : above;
  const staying = nodes.known.filter(({ deleting }) => !deleting);
  return {
    pool,
    nodes,
    headroom: limit === undefined ? null : Math.max(0, limit.nodes - nodes.total),
    provisioning: mayProvision(limit, nodes.active) && !staticCapacityOff ? "allowed" : "blocked",
    staticCapacityOff,
    disruption,
    events: eventsOf(pool, nodes, disruption),
    deprovision: inDeprovisioningOrder(staying, at, profile).slice(0, surplus),
  };
}

export interface DescribedBudget {
  readonly nodes: string;
  /** Undefined: for every reason. */
  readonly reasons: readonly string[] | undefined;
  readonly schedule: string | undefined;
  readonly duration: string | undefined;
  readonly state: "always" | "active" | "inactive" | "never" | "unreadable";
  /** When the state ends; undefined if it does not end within a year. */
  readonly until: number | undefined;
  /** Undefined for Karpenter's default. */
  readonly place: string | undefined;
}

/** What a feature gate of Karpenter means for a reason, beside the numbers of budgets and limits. */
interface GateNote {
  readonly reason: DisruptionReason;
  readonly gate: KarpenterGate;
  readonly on: boolean;
  readonly means: string;
}

export interface DescribedSimulation extends PoolAnswer {
  readonly gates: readonly GateNote[];
  readonly place: string;
  readonly budgets: readonly DescribedBudget[];
  /** The first stretch begins now; the second, if any, is what comes next within a month. */
  readonly next: readonly Stretch[];
  readonly rollout: Rollout;
  /** When a change now that replaces all its nodes would hold. */
  readonly settles: PoolConvergence;
  /** Null for a static pool, and without a limit, because the number of nodes is unbounded then. */
  readonly worstCase: number | null;
  /** The numbers as text if one of them is too large for a JavaScript number. */
  readonly digits: { readonly limit: string; readonly headroom: string; readonly worstCase: string } | undefined;
  /** Undefined unless a span of time was asked for. */
  readonly timeline: readonly Stretch[] | undefined;
}

export interface SimulateAssumptions {
  readonly at: number;
  readonly span: Span | undefined;
  /** Milliseconds that replacing one node takes. */
  readonly nodeTime: number;
  /** New nodes that one batch of pods needs. */
  readonly batch: number;
}

export function describeSimulation(
  pool: SimulatedPool,
  nodes: PoolNodes,
  { at, span, nodeTime, batch }: SimulateAssumptions,
): DescribedSimulation {
  const rollout = rolloutOfPool(pool, nodes, at, nodeTime);
  return {
    ...simulatePool(pool, nodes, at),
    place: placeOf(pool),
    gates: gateNotes(pool),
    budgets: pool.budgets.map((budget, index) => describeBudget(budget, index, pool, at)),
    next: nextStretches(pool, nodes, at),
    rollout,
    settles: convergenceOfPool(pool, nodes, rollout, { at, nodeTime }),
    worstCase:
      pool.limit === undefined || pool.replicas !== undefined ? null : worstCase(pool.limit, nodes.active, batch),
    digits: digitsOf(pool.limit, nodes, batch),
    timeline: span && timeline(pool, nodes, span),
  };
}

/** See docs/upstream/karpenter.md#budgets and docs/upstream/karpenter.md#spot-to-spot. */
function gateNotes(pool: SimulatedPool): GateNote[] {
  const { gates } = pool.karpenter;
  const note = (reason: DisruptionReason, gate: KarpenterGate, onWords: string, offWords: string): GateNote => {
    const on = gates.has(gate);
    return { reason, gate, on, means: on ? onWords : offWords };
  };
  const repair = note(
    "Unhealthy",
    "NodeRepair",
    "Karpenter replaces unhealthy nodes, as the budgets allow",
    "Karpenter repairs no node, whatever the budgets allow",
  );
  const spot = note(
    "Underutilized",
    "SpotToSpotConsolidation",
    `Karpenter replaces a single Spot node with a Spot node only if ${CHEAPER_SPOT_TYPES} instance types are cheaper`,
    "Karpenter replaces no Spot node with a cheaper Spot node",
  );
  return [
    ...(disruptionReasons(pool.profile).includes("Unhealthy") ? [repair] : []),
    ...(consolidatesSpot(pool) ? [spot] : []),
  ];
}

/** Whether the pool itself names Spot, and Karpenter may replace its nodes with cheaper ones. */
function consolidatesSpot({ resource: { value }, replicas }: SimulatedPool): boolean {
  const disruption = (field: string): unknown => valueAt(value, ["spec", "disruption", field]);
  if (replicas !== undefined || disruption("consolidationPolicy") === "WhenEmpty") return false;
  const entries = listOf(valueAt(value, ["spec", "template", "spec", "requirements"]));
  const isOfSpot = (entry: unknown): boolean =>
    valueAt(entry, ["key"]) === "karpenter.sh/capacity-type" &&
    valueAt(entry, ["operator"]) === "In" &&
    listOf(valueAt(entry, ["values"])).includes("spot");
  return disruption("consolidateAfter") !== "Never" && entries.some(isOfSpot);
}

/** No cluster reaches such a limit, so a batch starts one node below it. */
function digitsOf(limit: NodeLimit | undefined, { total }: PoolNodes, batch: number): DescribedSimulation["digits"] {
  if (limit?.exact === undefined) return undefined;
  const [left, most] = [limit.exact - BigInt(total), limit.exact - 1n + BigInt(batch)];
  return { limit: String(limit.exact), headroom: String(left), worstCase: String(most) };
}

/** Most budgets change within a day. */
function nextStretches(pool: SimulatedPool, nodes: PoolNodes, at: number): Stretch[] {
  const today = timeline(pool, nodes, { from: at, to: at + DAY_MS });
  return (today.length > 1 ? today : timeline(pool, nodes, { from: at, to: at + 31 * DAY_MS })).slice(0, 2);
}

function describeBudget(
  { budget, window }: ReadBudget,
  index: number,
  { budgetPlaces }: SimulatedPool,
  at: number,
): DescribedBudget {
  const { nodes = DEFAULT_BUDGET_NODES, reasons, schedule, duration } = budget;
  const origin = budgetPlaces[index];
  const place = origin && locationOf(origin.resource, origin.path);
  const known = { nodes, reasons, schedule, duration, place };
  if ("error" in window) return { ...known, state: "unreadable", until: undefined };
  const [first] = window.spans(at, at + YEAR_MS, 1);
  if (first === undefined) return { ...known, state: "never", until: undefined };
  if (first.from > at) return { ...known, state: "inactive", until: first.from };
  if (first.to === at + YEAR_MS) return { ...known, state: "always", until: undefined };
  return { ...known, state: "active", until: first.to };
}

/** A live object has no lines, so its place is only the file. */
function placeOf({ resource }: SimulatedPool): string {
  const { withoutLines, file } = resource.document.source;
  return withoutLines === true ? file : locationOf(resource, ["metadata", "name"]);
}

interface PoolConvergence extends Convergence {
  /** At the earliest: how many nodes are replaced from each moment on. Empty if that is unknown. */
  readonly steps: Rollout["steps"];
}

/** @param rollout by drift alone, without expiry */
function convergenceOfPool(pool: SimulatedPool, nodes: PoolNodes, rollout: Rollout, moment: Moment): PoolConvergence {
  const running = runningPoolOf(pool);
  const { known, total, from } = nodes;
  if (from === "data" || total === 0) {
    const lives = { all: known, affected: known, sure: true };
    const convergence = convergenceOf(running, lives, moment);
    const bounded = convergence.earliest !== undefined || convergence.until === "never";
    return { ...convergence, steps: bounded ? rolloutOfNodes(running, lives, moment).steps : [] };
  }
  const convergence = convergenceOf(running, undefined, moment);
  // The ages of the nodes are unknown, so one of them may expire at any moment.
  const ageless = lifetimeBounds(running).expiry === undefined && convergence.until !== "never";
  return { ...convergence, earliest: ageless ? rollout.ends : undefined, steps: ageless ? rollout.steps : [] };
}

type Moment = Parameters<typeof convergenceOf>[2];

function runningPoolOf({ resource: { value }, budgets, limit, replicas, terminatesFirst }: SimulatedPool): RunningPool {
  const template = valueAt(value, ["spec", "template"]);
  return {
    expireAfter: textAt(template, ["spec", "expireAfter"]),
    terminationGracePeriod: textAt(template, ["spec", "terminationGracePeriod"]),
    doNotDisrupt: textAt(template, ["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    hasDrainEnd: textAt(template, ["metadata", "annotations", TERMINATION_TIMESTAMP]) !== undefined,
    budgets: budgets.map(({ budget }) => budget),
    limit,
    replicas,
    terminatesFirst,
  };
}

/** Nodes that are not initialized, or are being disrupted already, are not counted. */
export function rolloutOfPool(pool: SimulatedPool, nodes: PoolNodes, at: number, nodeTime: number): Rollout {
  const { counted, going, total } = nodes;
  const leaving = Array.from({ length: counted - going }, () => ({ expires: undefined, drifts: true }));
  return rolloutOf({ budgets: pool.budgets, counted, room: roomOf(pool, total - going) }, leaving, at, nodeTime);
}
