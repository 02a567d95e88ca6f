/** Computes how many nodes disruption budgets allow at a moment, and when a budget is active. */
import { DEFAULT_BUDGET_NODES, type DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import { atoi } from "../../model/values/int64.ts";
import { type BudgetWindow, budgetWindow } from "./budget-window.ts";

/** As the API server stores it, without defaults. */
export interface Budget {
  readonly nodes?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  readonly schedule?: string | undefined;
  readonly duration?: string | undefined;
}

export interface ReadBudget {
  readonly budget: Budget;
  /** An error if Karpenter cannot parse the schedule. */
  readonly window: BudgetWindow | { readonly error: string };
}

/** Karpenter's initial value, which budgets reduce: the largest int32 of Go. */
export const UNLIMITED = 2_147_483_647;

export function readBudget(budget: Budget): ReadBudget {
  return { budget, window: budgetWindow(budget) };
}

interface Allowance {
  /** Below zero if a number wrapped; `UNLIMITED` if no budget restricts. */
  readonly nodes: number;
  /** Karpenter's error texts. Any error, even of a budget for other reasons, makes the number 0. */
  readonly errors: readonly string[];
}

/** @param total the nodes that count: initialized, with instances that are not terminating */
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
    // Without a list the budget applies to every reason; with an empty list to none.
    else if (budget.reasons?.includes(reason) ?? true) nodes = Math.min(nodes, value);
  }
  return { nodes: errors.length > 0 ? 0 : nodes, errors };
}

/** The number of one budget, or its error. `nodes` is evaluated only while the budget is active. */
function valueAt({ budget, window }: ReadBudget, total: number, at: number): number | string {
  if ("error" in window) return window.error;
  return window.isActive(at) ? budgetNodes(budget.nodes ?? DEFAULT_BUDGET_NODES, total) : UNLIMITED;
}

/**
 * Numbers wrap as Go's int32. Percentages are rounded up, so that small pools can be disrupted
 * (docs/upstream/karpenter.md#budgets).
 */
export function budgetNodes(text: string, total: number): number | string {
  const whole = atoi(text);
  if (whole.valid) return Number(BigInt.asIntN(32, whole.value));
  const percent = text.endsWith("%") ? atoi(text.slice(0, -1)) : undefined;
  if (percent === undefined) return "invalid value for IntOrString: invalid type: string is not a percentage";
  if (!percent.valid) return `invalid value for IntOrString: invalid value ${JSON.stringify(text)}`;
  return Math.ceil((Number(percent.value) * total) / 100);
}

type Activity =
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
