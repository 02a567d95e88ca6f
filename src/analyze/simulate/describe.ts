/** A pool's answer with all that people want to know beside it, such as how long a roll takes. */
import { DAY_MS, YEAR_MS } from "../../model/civil-date.ts";
import type { ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import type { Span } from "../../karpenter/disruption/budget-window.ts";
import { type NodeLimit, worstCase } from "../../karpenter/disruption/node-limit.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/disruption-reasons.ts";
import type { Roll } from "../running/roll.ts";
import { locationOf } from "../../krm/location.ts";
import { type PoolAnswer, simulatePool } from "./simulate.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { rollOfPool } from "./roll.ts";
import { type PoolSettles, settlingOf } from "./settling.ts";
import { type Stretch, timeline } from "./timeline.ts";

export interface DescribedBudget {
  readonly nodes: string;
  /** Undefined is every reason. */
  readonly reasons: readonly string[] | undefined;
  readonly schedule: string | undefined;
  readonly duration: string | undefined;
  readonly state: "always" | "active" | "inactive" | "never" | "unreadable";
  /** When the state ends; undefined where it does not within a year. */
  readonly until: number | undefined;
  /** Undefined for Karpenter's default. */
  readonly place: string | undefined;
}

export interface DescribedSimulation extends PoolAnswer {
  readonly place: string;
  readonly budgets: readonly DescribedBudget[];
  /** The first stretch begins now; the second, if any, is what comes next within a month. */
  readonly next: readonly Stretch[];
  readonly roll: Roll;
  /** Of a change now that replaces all its nodes. */
  readonly settles: PoolSettles;
  /** Null without a limit: then nothing bounds it. */
  readonly worstCase: number | null;
  /** What is larger than a JavaScript number can say. */
  readonly digits: { readonly limit: string; readonly headroom: string; readonly worstCase: string } | undefined;
  /** Where a span of time was asked for. */
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
  const roll = rollOfPool(pool, nodes, at, nodeTime);
  return {
    ...simulatePool(pool, nodes, at),
    place: placeOf(pool),
    budgets: pool.budgets.map((budget, index) => describeBudget(budget, index, pool, at)),
    next: nextStretches(pool, nodes, at),
    roll,
    settles: settlingOf(pool, nodes, roll, { at, nodeTime }),
    worstCase: pool.limit === undefined ? null : worstCase(pool.limit, nodes.active, batch),
    digits: digitsOf(pool.limit, nodes, batch),
    timeline: span && timeline(pool, nodes, span),
  };
}

/** No cluster comes near such a limit: there is room, and a batch starts from one node below it. */
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
  const stands = budgetPlaces[index];
  const place = stands && locationOf(stands.resource, stands.path);
  const said = { nodes, reasons, schedule, duration, place };
  if ("error" in window) return { ...said, state: "unreadable", until: undefined };
  const [first] = window.spans(at, at + YEAR_MS, 1);
  if (first === undefined) return { ...said, state: "never", until: undefined };
  if (first.from > at) return { ...said, state: "inactive", until: first.from };
  if (first.to === at + YEAR_MS) return { ...said, state: "always", until: undefined };
  return { ...said, state: "active", until: first.to };
}

/** A live object has no lines, and its name says all. */
function placeOf({ resource }: SimulatedPool): string {
  const { withoutLines, file } = resource.document.source;
  return withoutLines === true ? file : locationOf(resource, ["metadata", "name"]);
}
