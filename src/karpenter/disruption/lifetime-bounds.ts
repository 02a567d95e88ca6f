/** Computes how long a node outside its pool may live, by drift, expiry and its pods. */
import { DEFAULT_EXPIRY } from "../../model/values/durations.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import { type Budget, budgetNodes } from "./disruption-budget.ts";
import { type BudgetWindow, budgetWindow } from "./budget-window.ts";

/** The fields of a pool that determine how long its nodes live. */
export interface LifetimeFields {
  readonly expireAfter?: string | undefined;
  readonly terminationGracePeriod?: string | undefined;
  readonly budgets?: readonly Budget[] | undefined;
  /** Whether its template sets an end of the drain, which Karpenter uses instead of `terminationGracePeriod`. */
  readonly hasDrainEnd?: boolean | undefined;
}

/** All times in milliseconds. See docs/upstream/karpenter.md#how-long-nodes-stay. */
export interface LifetimeBounds {
  /** Whether the budgets allow drift: always, at times, or never. */
  readonly drift: "always" | "sometimes" | "never";
  /** From creation of a node to its deletion; undefined if it never expires. */
  readonly expiry: number | undefined;
  /** From deletion of a node to its end, regardless of its pods; undefined if pods can block it without limit. */
  readonly drain: number | undefined;
}

export function lifetimeBounds({
  expireAfter = DEFAULT_EXPIRY,
  terminationGracePeriod,
  budgets = DEFAULT_BUDGETS,
  hasDrainEnd = false,
}: LifetimeFields): LifetimeBounds {
  const isBounded = terminationGracePeriod !== undefined && !hasDrainEnd;
  return {
    drift: driftOf(budgets),
    expiry: parseGoMilliseconds(expireAfter),
    drain: isBounded ? parseGoMilliseconds(terminationGracePeriod) : undefined,
  };
}

/** The longest lifetime of a node; undefined if unbounded. */
export function longestLifetime({ expiry, drain }: LifetimeBounds): number | undefined {
  return expiry === undefined || drain === undefined ? undefined : expiry + drain;
}

/** Whether drift or expiry removes a node at some time if its pods do not block it. */
export function goesAtSomeTime({ drift, expiry }: LifetimeBounds): boolean {
  return drift !== "never" || expiry !== undefined;
}

/** When the budgets allow drift. */
function driftOf(budgets: readonly Budget[]): LifetimeBounds["drift"] {
  const windows = budgets.map((budget) => ({ budget, window: budgetWindow(budget) }));
  // Karpenter then disrupts no node, regardless of other budgets.
  if (windows.some(({ window }) => "error" in window)) return "never";
  const closing = windows.flatMap(({ budget, window }) => (keepsDrifted(budget) ? [window as BudgetWindow] : []));
  if (closing.some(({ when }) => when === "always")) return "never";
  const atTimes = closing.filter(({ when }) => when === "sometimes");
  if (atTimes.length === 0) return "always";
  return coversAll(atTimes) ? "never" : "sometimes";
}

/** An invalid number blocks all nodes, regardless of the reasons of the budget. */
function keepsDrifted({ nodes = DEFAULT_BUDGET_NODES, reasons }: Budget): boolean {
  const ofOne = budgetNodes(nodes, 1);
  return typeof ofOne === "string" || (ofOne <= 0 && (reasons?.includes("Drifted") ?? true));
}

/** An arbitrary start, and a range that covers days, weeks and months of schedules. */
const FROM = 1_767_225_600_000;
const TO = FROM + 400 * 86_400_000;
/** The number of windows to check: frequent ones show a gap by then, or have none. */
const MOST_STEPS = 50_000;

/** Whether windows with gaps cover all time together: at the end of one, another is active. */
function coversAll(windows: readonly BudgetWindow[]): boolean {
  let at = FROM;
  for (let step = 0; step < MOST_STEPS && at < TO; step += 1) {
    const ends = windows.flatMap((window) => (window.isActive(at) ? window.spans(at, TO, 1) : [])).map(({ to }) => to);
    if (ends.length === 0) return false;
    at = Math.max(...ends);
  }
  return true;
}
