/** How long a node that no longer fits its pool may stay, by drift, expiry and its pods. */
import { DEFAULT_EXPIRY } from "../../model/default-expiry.ts";
import { parseGoMilliseconds } from "../../model/go-duration.ts";
import { DEFAULT_BUDGET_NODES, DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import { budgetNodes } from "./budget-nodes.ts";
import type { Budget } from "./disruption-budget.ts";
import { type BudgetWindow, budgetWindow } from "./budget-window.ts";

/** What decides how long its nodes stay. */
export interface StayingPool {
  readonly expireAfter?: string | undefined;
  readonly terminationGracePeriod?: string | undefined;
  readonly budgets?: readonly Budget[] | undefined;
}

/** Milliseconds throughout. See docs/upstream/karpenter.md#how-long-nodes-stay. */
export interface NodeStay {
  /** Whether the budgets let drifted nodes go: all the time, at times, or not at all. */
  readonly drift: "always" | "sometimes" | "never";
  /** From the making of a node to its deletion; undefined: it never expires. */
  readonly expiry: number | undefined;
  /** From its deletion to its end, whatever its pods say; undefined: as long as they hold it. */
  readonly drain: number | undefined;
}

export function nodeStay({
  expireAfter = DEFAULT_EXPIRY,
  terminationGracePeriod,
  budgets = DEFAULT_BUDGETS,
}: StayingPool): NodeStay {
  return {
    drift: driftOf(budgets),
    expiry: parseGoMilliseconds(expireAfter),
    drain: terminationGracePeriod === undefined ? undefined : parseGoMilliseconds(terminationGracePeriod),
  };
}

/** The longest that a node stays after it was made; undefined where nothing bounds it. */
export function longestStay({ expiry, drain }: NodeStay): number | undefined {
  return expiry === undefined || drain === undefined ? undefined : expiry + drain;
}

/** A node that its pods do not hold goes at some time: drift or expiry takes it. */
export function goesAtSomeTime({ drift, expiry }: NodeStay): boolean {
  return drift !== "never" || expiry !== undefined;
}

/** Whether the budgets ever let drifted nodes go. */
function driftOf(budgets: readonly Budget[]): NodeStay["drift"] {
  const windows = budgets.map((budget) => ({ budget, window: budgetWindow(budget) }));
  // Karpenter then lets none go, whatever the other budgets say.
  if (windows.some(({ window }) => "error" in window)) return "never";
  const closing = windows.flatMap(({ budget, window }) => (keepsDrifted(budget) ? [window as BudgetWindow] : []));
  if (closing.some(({ when }) => when === "always")) return "never";
  const atTimes = closing.filter(({ when }) => when === "sometimes");
  if (atTimes.length === 0) return "always";
  return coversAll(atTimes) ? "never" : "sometimes";
}

/** A number that Karpenter cannot read keeps all nodes, whatever reasons the budget is for. */
function keepsDrifted({ nodes = DEFAULT_BUDGET_NODES, reasons }: Budget): boolean {
  const ofOne = budgetNodes(nodes, 1);
  return typeof ofOne === "string" || (ofOne <= 0 && (reasons?.includes("Drifted") ?? true));
}

/** Some week, and long enough that days, weeks and months of schedules have come round. */
const FROM = 1_767_225_600_000;
const TO = FROM + 400 * 86_400_000;
/** As many windows are walked through: those that hit every few minutes leave a gap among them, or none. */
const MOST_STEPS = 50_000;

/** Whether windows that each leave gaps leave none together: from the end of one on there is always another. */
function coversAll(windows: readonly BudgetWindow[]): boolean {
  let at = FROM;
  for (let step = 0; step < MOST_STEPS && at < TO; step += 1) {
    const ends = windows.flatMap((window) => (window.isActive(at) ? window.spans(at, TO, 1) : [])).map(({ to }) => to);
    if (ends.length === 0) return false;
    at = Math.max(...ends);
  }
  return true;
}
