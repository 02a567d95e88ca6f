/** How long Karpenter takes at least to replace nodes. */
import { allowedDisruptions, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import type { Budget } from "../../karpenter/disruption/budget-blocking.ts";

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
  if (atOnce <= 0) return undefined;
  return BigInt(Math.ceil(affected / atOnce)) * nodeTime;
}

/**
 * Karpenter takes the smallest of the budgets for a reason; one that cannot be read lets nothing go
 * (docs/upstream/karpenter.md#budgets).
 */
function allowedAtOnce(total: number, budgets: readonly Budget[]): number {
  const counting = budgets.map(readBudget).filter(({ window }) => "error" in window || window.when === "always");
  return allowedDisruptions(counting, "Drifted", total, ANY_MOMENT).nodes;
}

const ANY_MOMENT = 0;
