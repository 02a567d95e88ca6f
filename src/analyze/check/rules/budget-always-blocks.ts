/** Rule: budgets that always block all disruptions. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { samePath } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { activityOf, letsNothingThrough } from "../../../karpenter/disruption/disruption-budget.ts";
import { BUDGETS } from "../../../resolve/bound-pool.ts";
import { disruptionReasons } from "../../../model/pools/disruption-reasons.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** A reason of its own since Karpenter 1.15 (docs/upstream/karpenter.md#budgets). */
const REPAIR = "Unhealthy";

/** With such a budget, a new policy, a new image and consolidation never apply to existing nodes. */
export function budgetAlwaysBlocks({ pools, inputs }: ExplainedCluster): Finding[] {
  const mayRepair = disruptionReasons(inputs.settings.profile).includes(REPAIR);
  return pools.flatMap(({ wrapper, given, bounds }) =>
    (given.disruption?.budgets ?? []).flatMap((budget, index) => {
      const path = [...BUDGETS, index];
      // A floor removes reasons from the budget, which it no longer blocks.
      const { keeps = budget.reasons } = bounds.find(({ field }) => samePath(field, path)) ?? {};
      if (keeps?.length === 0 || !letsNothingThrough(budget) || activityOf(budget).when !== "always") return [];
      const reasons = keeps === undefined ? "any reason" : keeps.join(" or ");
      const always =
        budget.schedule === undefined ? "" : `, because the schedule \`${budget.schedule}\` is always active`;
      const message = `${describeResource(wrapper)}: the budget of ${budget.nodes} never allows a disruption for ${reasons}${always}`;
      const isRepair = mayRepair && (keeps === undefined || keeps.includes(REPAIR));
      const repaired = isRepair ? ", and unhealthy ones are not repaired" : "";
      const hint = `add a schedule and a duration, or allow at least one node; otherwise drifted nodes are not replaced${repaired}`;
      return [findingAt("budget-always-blocks", wrapper, path, { message, hint })];
    }),
  );
}
