/** Budgets of no nodes at all times. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { samePath } from "../../../krm/field-path.ts";
import { describeResource } from "../../../krm/resource.ts";
import { activityOf, letsNothingThrough } from "../../../karpenter/disruption/budget-blocking.ts";
import { BUDGETS } from "../../../resolve/bound-pool.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** A new policy, a new image and consolidation never reach the pool's nodes. */
export function budgetAlwaysBlocks({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper, given, bounds }) =>
    (given.disruption?.budgets ?? []).flatMap((budget, index) => {
      const path = [...BUDGETS, index];
      // What a floor has taken out of it, it no longer holds.
      const { keeps = budget.reasons } = bounds.find(({ field }) => samePath(field, path)) ?? {};
      if (keeps?.length === 0 || !letsNothingThrough(budget) || activityOf(budget).when !== "always") return [];
      const reasons = keeps === undefined ? "any reason" : keeps.join(" or ");
      const always =
        budget.schedule === undefined ? "" : `, because the schedule \`${budget.schedule}\` is always active`;
      const message = `${describeResource(wrapper)}: the budget of ${budget.nodes} never lets a node go for ${reasons}${always}`;
      const hint = "give it a schedule and a duration, or allow a node; nodes that drift keep running as they are";
      return [findingAt("budget-always-blocks", wrapper, path, { message, hint })];
    }),
  );
}
