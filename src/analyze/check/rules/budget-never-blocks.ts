/** Budgets that hold nothing back: none at all, for no reason, of all nodes, or never active. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import type { FieldPath } from "../../../krm/field-path.ts";
import { describeResource } from "../../../krm/resource.ts";
import { DEFAULT_BUDGET_NODES, type DisruptionReason, disruptionReasons } from "../../../model/disruption-reasons.ts";
import { activityOf, type Budget } from "../../../karpenter/disruption/budget-blocking.ts";
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
      const words = "the empty list of budgets lets all nodes go at once";
      return [finding(pool, BUDGETS, words, `leave budgets out for Karpenter's default of ${DEFAULT_BUDGET_NODES}`)];
    }
    const idle = budgets.flatMap((budget, index) => {
      const why = whyIdle(budget);
      return why === undefined ? [] : [finding(pool, [...BUDGETS, index], why, "correct the budget, or take it out")];
    });
    return [...idle, ...withoutBudget(pool, budgets, reasons)];
  });
}

function whyIdle(budget: Budget): string | undefined {
  if (budget.reasons?.length === 0) return "a budget with an empty list of reasons is for none of them";
  if (budget.nodes === "100%") return "a budget of 100% holds no node back";
  return activityOf(budget).when === "never" ? "a budget with a duration of no time is never active" : undefined;
}

/** A reason that no budget speaks of has no limit: Karpenter's default is gone once there is a list. */
function withoutBudget(pool: ResolvedPool, budgets: readonly Budget[], all: readonly DisruptionReason[]): Finding[] {
  const left = all.filter((reason) => budgets.every(({ reasons }) => reasons?.includes(reason) === false));
  if (left.length === 0 || left.length === all.length) return [];
  const words = `no budget is for ${left.join(" and ")}, so all nodes may go at once for ${left.length === 1 ? "it" : "them"}`;
  return [finding(pool, BUDGETS, words, "add a budget without reasons")];
}

function finding({ wrapper }: ResolvedPool, path: FieldPath, words: string, hint: string): Finding {
  return findingAt("budget-never-blocks", wrapper, path, { message: `${describeResource(wrapper)}: ${words}`, hint });
}
