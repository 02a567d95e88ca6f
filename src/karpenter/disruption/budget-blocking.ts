/** The effect of a disruption budget over all time: when it is active and what it lets through. */
import { budgetNodes } from "./budget-nodes.ts";
import { budgetWindow } from "./budget-window.ts";
import { DEFAULT_BUDGET_NODES } from "../../model/disruption-reasons.ts";
import type { OpenshiftNodePool } from "../../model/openshift-node-pool.ts";

export type Budget = NonNullable<NonNullable<OpenshiftNodePool["spec"]["disruption"]>["budgets"]>[number];

export type Activity =
  | { readonly when: "always" | "sometimes" | "never" }
  /** Karpenter then lets no node of the pool go, whatever the other budgets say. */
  | { readonly when: "error"; readonly error: string };

/** Karpenter's reading of a budget is that of docs/upstream/karpenter.md#budgets. */
export function activityOf(budget: Budget): Activity {
  const window = budgetWindow(budget);
  return "error" in window ? { when: "error", error: window.error } : { when: window.when };
}

/** Whether nothing at all is let through while the budget is active, however many nodes there are. */
export function letsNothingThrough({ nodes = DEFAULT_BUDGET_NODES }: Budget): boolean {
  const ofOne = budgetNodes(nodes, 1);
  return typeof ofOne === "string" || ofOne <= 0;
}
