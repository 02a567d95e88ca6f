/** How many more nodes of a pool its budgets let go now, which budget decides, and until when. */
import {
  allowedDisruptions,
  budgetNodes,
  type ReadBudget,
  UNLIMITED,
} from "../../karpenter/disruption/disruption-budget.ts";
import { counted } from "../../krm/values/counted.ts";
import { DEFAULT_BUDGET_NODES, type DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { YEAR_MS } from "../../model/values/civil-date.ts";
import { type Blocker, blocker } from "./blocker.ts";
import { consumingFor, countNodes } from "./counted-nodes.ts";
import { type DisruptedPool, type DisruptionWorld, nodesOfPool } from "./world.ts";

/** How many nodes the budgets of a pool let go for a reason: before and after those that are going. */
interface BudgetRoom {
  /** Infinity without a bound. */
  readonly allowed: number;
  readonly used: number;
  readonly left: number;
  /** The nodes that percentages count. */
  readonly counted: number;
  readonly error: string | undefined;
}

/** `BuildDisruptionBudgetMapping` (pkg/controllers/disruption/helpers.go). */
export function budgetRoom(pool: DisruptedPool, reason: DisruptionReason, world: DisruptionWorld): BudgetRoom {
  const nodes = countsOf(nodesOfPool(world, pool.name));
  const { nodes: allowed, errors } = allowedDisruptions(pool.budgets, reason, nodes.counted, world.at);
  const used = consumingFor(nodes, reason);
  const bound = allowed === UNLIMITED ? Infinity : allowed;
  return { allowed: bound, used, left: Math.max(0, bound - used), counted: nodes.counted, error: errors[0] };
}

const countsOf = memoizeByObject((nodes: ReturnType<typeof nodesOfPool>) => countNodes(nodes.map(({ life }) => life)));

/** None if the budgets let one more node go. */
export function budgetBlockers(
  pool: DisruptedPool,
  reason: DisruptionReason,
  world: DisruptionWorld,
): readonly Blocker[] {
  const room = budgetRoom(pool, reason, world);
  if (room.left > 0) return [];
  const resource = `NodePool ${pool.name}`;
  if (room.error !== undefined) {
    const message = `Karpenter cannot read a budget of ${resource} (${room.error}), and disrupts none of its nodes`;
    return [blocker("budget-blocks", resource, message, { change: "correct the budget" })];
  }
  const until = opensAt(pool, reason, room, world.at);
  const which = `${decidingBudget(pool.budgets, reason, room, world.at)} of ${resource}`;
  const change = until === undefined ? RAISE : `wait until its window ends, or ${RAISE}`;
  if (room.allowed <= 0)
    return [blocker("budget-blocks", resource, `${which} lets no node go for ${reason} now`, { until, change })];
  const message = `${which} lets ${String(room.allowed)} of ${counted(room.counted, "node")} go for ${reason} at once, and ${String(room.used)} are going or not ready`;
  return [blocker("budget-used", resource, message, { until, change: `wait for those nodes, or ${RAISE}` })];
}

const RAISE = "raise nodes of the budget";

/** `budget 2 (nodes: "0", Mon-Fri)`. */
function decidingBudget(
  budgets: readonly ReadBudget[],
  reason: DisruptionReason,
  { allowed, counted }: BudgetRoom,
  at: number,
): string {
  const index = budgets.findIndex(
    ({ budget, window }) =>
      (budget.reasons?.includes(reason) ?? true) &&
      "isActive" in window &&
      window.isActive(at) &&
      budgetNodes(budget.nodes ?? DEFAULT_BUDGET_NODES, counted) === allowed,
  );
  const { nodes = DEFAULT_BUDGET_NODES, schedule, duration } = budgets[index]?.budget ?? {};
  const when = schedule === undefined ? "" : `, schedule ${JSON.stringify(schedule)} for ${duration ?? "0s"}`;
  return `budget ${String(index + 1)} (nodes: ${JSON.stringify(nodes)}${when})`;
}

/** Budgets of 50 windows that open each minute are followed for some hours. */
const MOST_STEPS = 2000;

/**
 * When the budgets let a node go if the nodes stay as they are: only the end of a window can open them. Undefined if
 * that is not within a year.
 */
function opensAt(
  { budgets }: DisruptedPool,
  reason: DisruptionReason,
  { counted, used }: BudgetRoom,
  from: number,
): number | undefined {
  let at = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    const ends = budgets.flatMap(({ window }) =>
      "isActive" in window && window.when === "sometimes" && window.isActive(at)
        ? window.spans(at, from + YEAR_MS, 1).map(({ to }) => to)
        : [],
    );
    if (ends.length === 0) return undefined;
    at = Math.min(...ends);
    if (at >= from + YEAR_MS) return undefined;
    if (allowedDisruptions(budgets, reason, counted, at).nodes > used) return at;
  }
  return undefined;
}
