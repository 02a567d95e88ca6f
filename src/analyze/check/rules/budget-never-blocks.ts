/** Rule: budgets without effect: an empty list, no reasons, all nodes, or never active. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import type { FieldPath } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import {
  DEFAULT_BUDGET_NODES,
  type DisruptionReason,
  disruptionReasons,
} from "../../../model/pools/disruption-reasons.ts";
import { activityOf, type Budget } from "../../../karpenter/disruption/disruption-budget.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";

const BUDGETS: FieldPath = ["spec", "disruption", "budgets"];

/** See docs/upstream/karpenter.md#budgets. */
export function budgetNeverBlocks({ pools, inputs }: ExplainedCluster): Finding[] {
  const reasons = disruptionReasons(inputs.settings.profile);
  return pools.flatMap((pool) => {
    const budgets = pool.given.disruption?.budgets;
    if (budgets === undefined) return [];
    if (budgets.length === 0) {
      const words = "with an empty list of budgets, Karpenter may disrupt all nodes at once";
      return [finding(pool, BUDGETS, words, `remove budgets to get Karpenter's default of ${DEFAULT_BUDGET_NODES}`)];
    }
    const idle = budgets.flatMap((budget, index) => {
      const why = whyIdle(budget);
      return why === undefined ? [] : [finding(pool, [...BUDGETS, index], why, "correct the budget, or remove it")];
    });
    return [...idle, ...withoutBudget(pool, budgets, reasons)];
  });
}

function whyIdle(budget: Budget): string | undefined {
  if (budget.reasons?.length === 0) return "a budget with an empty list of reasons applies to no reason";
  if (budget.nodes === "100%") return "a budget of 100% blocks no disruption";
  return activityOf(budget).when === "never" ? "a budget with a duration of 0 is never active" : undefined;
}

/** A reason without a budget is unlimited, because a list of budgets replaces Karpenter's default. */
function withoutBudget(pool: ResolvedPool, budgets: readonly Budget[], all: readonly DisruptionReason[]): Finding[] {
  const left = all.filter((reason) => budgets.every(({ reasons }) => reasons?.includes(reason) === false));
  if (left.length === 0 || left.length === all.length) return [];
  const words = `no budget applies to ${left.join(" and ")}, so Karpenter may disrupt all nodes at once for ${left.length === 1 ? "it" : "them"}`;
  return [finding(pool, BUDGETS, words, "add a budget without reasons")];
}

function finding({ wrapper }: ResolvedPool, path: FieldPath, words: string, hint: string): Finding {
  return findingAt("budget-never-blocks", wrapper, path, { message: `${describeResource(wrapper)}: ${words}`, hint });
}
