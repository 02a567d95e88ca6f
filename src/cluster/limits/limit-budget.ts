/** The disruption budget that keeps replacements within a pool's Hard limit. */
import { allowedDisruptions, type ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { REPLACING_REASONS } from "../../model/disruption-reasons.ts";

export interface FilledPool {
  /** The user's, or Karpenter's default. */
  readonly budgets: readonly ReadBudget[];
  readonly limit: number;
  /** All NodeClaims of the pool, whatever becomes of them. */
  readonly nodes: number;
}

/**
 * Each replacement comes on top of the node that it is for. Undefined while the pool's own budgets already let no more
 * go at once than the limit has room for: then the pool is not near its limit.
 */
export function limitBudget({ budgets, limit, nodes }: FilledPool): number | undefined {
  const room = Math.max(0, limit - nodes);
  // More than there are cannot be replaced; and a percentage grows with the pool before anybody looks again.
  const atOnce = Math.min(nodes, mostAtOnce(budgets, Math.max(limit, nodes)));
  return atOnce > room ? room : undefined;
}

/** Budgets with a schedule do not count, unless they are always active: nobody looks just when their window ends. */
function mostAtOnce(budgets: readonly ReadBudget[], nodes: number): number {
  // One that Karpenter cannot read keeps all nodes where they are (docs/upstream/karpenter.md#budgets).
  if (budgets.some(({ window }) => "error" in window)) return 0;
  const lasting = budgets.filter(({ window }) => !("error" in window) && window.when === "always");
  return Math.max(...REPLACING_REASONS.map((reason) => allowedDisruptions(lasting, reason, nodes, 0).nodes));
}
