/** Disruption budgets: how many nodes may go for a reason at a moment. */
import { DEFAULT_BUDGET_NODES, type DisruptionReason } from "../../model/disruption-reasons.ts";
import { budgetNodes } from "./budget-nodes.ts";
import { type BudgetWindow, budgetWindow } from "./budget-window.ts";

/** As the API server stores it, defaults left out. */
export interface Budget {
  readonly nodes?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly schedule?: string | undefined;
  readonly duration?: string | undefined;
}

export interface ReadBudget {
  readonly budget: Budget;
  /** The error: Karpenter cannot read the schedule. */
  readonly window: BudgetWindow | { readonly error: string };
}

/** What Karpenter starts from where no budget says less: Go's largest int32. */
export const UNLIMITED = 2_147_483_647;

export function readBudget(budget: Budget): ReadBudget {
  return { budget, window: budgetWindow(budget) };
}

export interface Allowance {
  /** Below zero where a number wrapped; `UNLIMITED` where nothing holds nodes back. */
  readonly nodes: number;
  /** In Karpenter's words; any of them, also of a budget for other reasons, makes the number 0. */
  readonly errors: readonly string[];
}

/**
 * As Karpenter computes it (docs/upstream/karpenter.md#budgets).
 *
 * @param total the nodes that count: initialized, and their instances not terminating
 */
export function allowedDisruptions(
  budgets: readonly ReadBudget[],
  reason: DisruptionReason,
  total: number,
  at: number,
): Allowance {
  const errors: string[] = [];
  let nodes = UNLIMITED;
  for (const { budget, window } of budgets) {
    const value = valueAt({ budget, window }, total, at);
    if (typeof value === "string") errors.push(value);
    // No list is for every reason, an empty one for none.
    else if (budget.reasons?.includes(reason) ?? true) nodes = Math.min(nodes, value);
  }
  return { nodes: errors.length > 0 ? 0 : nodes, errors };
}

/** One budget's number, or what is wrong with it: what it says of nodes is looked at only while it is active. */
function valueAt({ budget, window }: ReadBudget, total: number, at: number): number | string {
  if ("error" in window) return window.error;
  return window.isActive(at) ? budgetNodes(budget.nodes ?? DEFAULT_BUDGET_NODES, total) : UNLIMITED;
}
