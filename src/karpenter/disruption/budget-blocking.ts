/** Determines when a disruption budget is active and whether it blocks all nodes. */
import { budgetNodes } from "./disruption-budget.ts";
import { budgetWindow } from "./budget-window.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/pools/disruption-reasons.ts";
import type { OpenshiftNodePool } from "../../model/pools/openshift-node-pool.ts";

export type Budget = NonNullable<NonNullable<OpenshiftNodePool["spec"]["disruption"]>["budgets"]>[number];

export type Activity =
  | { readonly when: "always" | "sometimes" | "never" }
  /** Karpenter then disrupts no node of the pool, regardless of other budgets. */
  | { readonly when: "error"; readonly error: string };

/** Karpenter's rules are those of docs/upstream/karpenter.md#budgets. */
export function activityOf(budget: Budget): Activity {
  const window = budgetWindow(budget);
  return "error" in window ? { when: "error", error: window.error } : { when: window.when };
}

/** Whether the budget allows no disruption while it is active, for any number of nodes. */
export function letsNothingThrough({ nodes = DEFAULT_BUDGET_NODES }: Budget): boolean {
  const ofOne = budgetNodes(nodes, 1);
  return typeof ofOne === "string" || ofOne <= 0;
}
