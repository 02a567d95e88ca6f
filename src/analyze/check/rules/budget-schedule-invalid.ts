/** Rule: schedules of budgets that the API server accepts and Karpenter cannot read. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { activityOf } from "../../../karpenter/disruption/disruption-budget.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter disrupts no node of the pool then (docs/upstream/karpenter.md#budgets). */
export function budgetScheduleInvalid({ pools, inputs }: ExplainedCluster): Finding[] {
  const { minDriftedBudget } = inputs.settings.config;
  const why = minDriftedBudget === undefined ? "for any reason" : "for any reason but Drifted, which has a floor";
  return pools.flatMap(({ wrapper, given }) =>
    (given.disruption?.budgets ?? []).flatMap((budget, index) => {
      const activity = activityOf(budget);
      if (activity.when !== "error") return [];
      const message = `${describeResource(wrapper)}: Karpenter cannot read the schedule \`${budget.schedule}\` (${activity.error}) and disrupts no node of the pool, ${why}`;
      const hint =
        "write five fields in UTC (minute, hour, day, month, weekday from 0 to 6), or a macro such as @daily";
      const path = ["spec", "disruption", "budgets", index, "schedule"];
      return [findingAt("budget-schedule-invalid", wrapper, path, { message, hint })];
    }),
  );
}
