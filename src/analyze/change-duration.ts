/** How long Karpenter takes at least to replace nodes: how many of how many, a pool's budgets and the time for one in, nanoseconds out. */
import { activityOf, type Budget } from "./budget-blocking.ts";

const MAX_INT32 = 2_147_483_647n;

/**
 * A lower bound: as many nodes at once as the budgets ever let, each taking `nodeTime`. A budget that is active at times
 * only is left out, as if all were done while it is not. Undefined when a budget lets none go.
 */
export function leastDuration(
  affected: number,
  total: number,
  budgets: readonly Budget[],
  nodeTime: bigint,
): bigint | undefined {
  if (affected === 0) return 0n;
  const atOnce = allowedAtOnce(total, budgets);
  if (atOnce <= 0n) return undefined;
  return divideUp(BigInt(affected), atOnce) * nodeTime;
}

/** Karpenter takes the smallest of the budgets for a reason; one that cannot be read lets nothing go (karpenter.md 3.1). */
function allowedAtOnce(total: number, budgets: readonly Budget[]): bigint {
  const activities = budgets.map((budget) => ({ budget, activity: activityOf(budget) }));
  if (activities.some(({ activity }) => activity.when === "error")) return 0n;
  const values = activities
    .filter(({ budget, activity }) => activity.when === "always" && (budget.reasons?.includes("Drifted") ?? true))
    .map(({ budget }) => nodesOf(budget, total));
  return values.reduce((least, value) => (value < least ? value : least), MAX_INT32);
}

/** Percentages are rounded up; numbers wrap as Go's int32, and longer ones are an error (karpenter.md 3.2, B21 and B22). */
function nodesOf({ nodes = "10%" }: Budget, total: number): bigint {
  if (nodes.endsWith("%")) return divideUp(BigInt(nodes.slice(0, -1)) * BigInt(total), 100n);
  const number = BigInt(nodes);
  return number > 2n ** 63n - 1n ? 0n : BigInt.asIntN(32, number);
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
