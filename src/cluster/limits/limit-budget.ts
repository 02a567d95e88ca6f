/** Calculates the disruption budget that keeps replacements within a pool's Hard limit. */
import { allowedDisruptions, type ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { REPLACING_REASONS } from "../../model/disruption-reasons.ts";

export interface FilledPool {
  /** The user's, or Karpenter's default. */
  readonly budgets: readonly ReadBudget[];
  readonly limit: number;
  /** All NodeClaims of the pool, also terminating ones. */
  readonly nodes: number;
}

/**
 * A replacement exists beside the node that it replaces. Undefined if the pool's own budgets already allow no more
 * replacements at once than the limit has room for: then the pool is not near its limit.
 */
export function limitBudget({ budgets, limit, nodes }: FilledPool): number | undefined {
  const room = Math.max(0, limit - nodes);
  // No more than the existing nodes can be replaced. A percentage grows with the pool before the next pass.
  const atOnce = Math.min(nodes, mostAtOnce(budgets, Math.max(limit, nodes)));
  return atOnce > room ? room : undefined;
}

/** Budgets with a schedule do not count unless they are always active: no pass runs exactly when their window ends. */
function mostAtOnce(budgets: readonly ReadBudget[], nodes: number): number {
  // If Karpenter cannot parse a budget, it disrupts no node (docs/upstream/karpenter.md#budgets).
  if (budgets.some(({ window }) => "error" in window)) return 0;
  const lasting = budgets.filter(({ window }) => !("error" in window) && window.when === "always");
  return Math.max(...REPLACING_REASONS.map((reason) => allowedDisruptions(lasting, reason, nodes, 0).nodes));
}
