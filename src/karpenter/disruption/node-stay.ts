/** How long a node that no longer fits its pool may stay, by drift, expiry and its pods. */
import { DEFAULT_EXPIRY } from "../../model/node-claim-template.ts";
import { parseGoMilliseconds } from "../../model/go-duration.ts";
import { DEFAULT_BUDGETS } from "../../model/disruption-reasons.ts";
import type { Budget } from "./budget-blocking.ts";
import { letsNothingThrough } from "./budget-blocking.ts";
import { type BudgetWindow, budgetWindow, type Span } from "./budget-window.ts";

interface Pool {
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
}: Pool): NodeStay {
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

function driftOf(budgets: readonly Budget[]): NodeStay["drift"] {
  const windows = budgets.map((budget) => ({ budget, window: budgetWindow(budget) }));
  // Karpenter then lets none go, whatever the other budgets say.
  if (windows.some(({ window }) => "error" in window)) return "never";
  const closing = windows.flatMap(({ budget, window }) =>
    (budget.reasons?.includes("Drifted") ?? true) && letsNothingThrough(budget) ? [window as BudgetWindow] : [],
  );
  if (closing.some(({ when }) => when === "always")) return "never";
  const atTimes = closing.filter(({ when }) => when === "sometimes");
  if (atTimes.length === 0) return "always";
  return coversAll(atTimes) ? "never" : "sometimes";
}

/** Some week, and long enough that days, weeks and months of schedules have come round. */
const FROM = 1_767_225_600_000;
const SPAN = { from: FROM, to: FROM + 400 * 86_400_000 };
/** Of each schedule: more come of schedules that hit every few minutes, and those leave gaps or none at once. */
const MOST_SPANS = 10_000;

/** Whether windows that each leave gaps leave none together. */
function coversAll(windows: readonly BudgetWindow[]): boolean {
  const spans = windows
    .flatMap((window): Span[] => window.spans(SPAN.from, SPAN.to, MOST_SPANS))
    .toSorted((a, b) => a.from - b.from);
  let until = SPAN.from;
  for (const { from, to } of spans) {
    if (from > until) return false;
    until = Math.max(until, to);
  }
  return until >= SPAN.to;
}
