/** Budgets of no nodes at all times. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import { activityOf, letsNothingThrough } from "../../../karpenter/disruption/budget-blocking.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** A new policy, a new image and consolidation never reach the pool's nodes. */
export function budgetAlwaysBlocks({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper, spec }) =>
    (spec.disruption?.budgets ?? []).flatMap((budget, index) => {
      if (budget.reasons?.length === 0 || !letsNothingThrough(budget) || activityOf(budget).when !== "always")
        return [];
      const reasons = budget.reasons === undefined ? "any reason" : budget.reasons.join(" or ");
      const always =
        budget.schedule === undefined ? "" : `, because the schedule \`${budget.schedule}\` is always active`;
      const message = `${describeResource(wrapper)}: the budget of ${budget.nodes} never lets a node go for ${reasons}${always}`;
      const hint = "give it a schedule and a duration, or allow a node; nodes that drift keep running as they are";
      const path = ["spec", "disruption", "budgets", index];
      return [findingAt("budget-always-blocks", wrapper, path, { message, hint })];
    }),
  );
}
