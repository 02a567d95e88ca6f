/** When a disruption budget is active, by its schedule and duration. */
import { YEAR_MS } from "../../model/civil-date.ts";
import { parseGoMilliseconds } from "../../model/go-duration.ts";
import { type CronSchedule, givenUpUntil, parseCronSchedule } from "./cron-schedule.ts";

/** Milliseconds since 1970; the end is no part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface BudgetWindow {
  /** Over all time. */
  readonly when: "always" | "sometimes" | "never";
  readonly isActive: (at: number) => boolean;
  /** The active times between two moments, in order, none touching the next; the first ones only where a number is given. */
  readonly spans: (from: number, to: number, atMost?: number) => Span[];
}

interface Times {
  readonly schedule?: string | undefined;
  readonly duration?: string | undefined;
}

const ALWAYS: BudgetWindow = {
  when: "always",
  isActive: () => true,
  spans: (from, to) => (from < to ? [{ from, to }] : []),
};
const NEVER: BudgetWindow = { when: "never", isActive: () => false, spans: () => [] };

/**
 * The error is robfig's own, which Karpenter meets whenever it looks at the budget. Karpenter's reading of a schedule
 * is that of docs/upstream/karpenter.md#schedules.
 */
export function budgetWindow({ schedule: text, duration }: Times): BudgetWindow | { readonly error: string } {
  if (text === undefined && duration === undefined) return ALWAYS;
  const parsed = parseCronSchedule(text ?? "");
  if ("error" in parsed) return parsed;
  const length = parseGoMilliseconds(duration ?? "0s");
  // The API server takes it; Karpenter then cannot read the NodePool at all.
  if (length === undefined) return { error: `time: invalid duration ${JSON.stringify(duration)}` };
  const { schedule } = parsed;
  // Karpenter asks for the hit after (now − duration): such a one lies before now, or never does.
  if (schedule.every !== undefined) return schedule.every <= length ? ALWAYS : NEVER;
  return {
    get when() {
      return alwaysWithin(schedule, length) ? "always" : length === 0 ? "never" : "sometimes";
    },
    isActive: (at) => isActive(schedule, length, at),
    spans: (from, to, atMost = Infinity) => spansOf(schedule, length, { from, to }, atMost),
  };
}

/** Karpenter walks back by the duration and looks for a hit from there on; having found none in five years, it takes that for one long past. */
function isActive(schedule: CronSchedule, length: number, at: number): boolean {
  const hit = schedule.next(at - length);
  return hit === undefined || hit <= at;
}

function spansOf(schedule: CronSchedule, length: number, { from, to }: Span, atMost: number): Span[] {
  const spans: Span[] = [];
  for (let at = from; at < to;) {
    const hit = schedule.next(at - length);
    if (hit !== undefined && hit > at) {
      at = hit;
      continue;
    }
    const end = hit === undefined ? givenUpUntil(at - length) + length : lastHit(schedule, hit, at) + length;
    const last = spans.at(-1);
    if (last?.to !== at && spans.length === atMost) return spans;
    if (last?.to === at) spans[spans.length - 1] = { from: last.from, to: Math.min(end, to) };
    else spans.push({ from: at, to: Math.min(end, to) });
    at = end;
  }
  return spans;
}

/** The latest hit up to a moment that is known to have one: schedules only tell the next. */
function lastHit(schedule: CronSchedule, known: number, at: number): number {
  let hit = known;
  let after = at;
  while (hit < after - 1) {
    const middle = Math.floor((hit + after) / 2);
    const next = schedule.next(middle);
    if (next !== undefined && next <= at) hit = next;
    else after = middle;
  }
  const next = schedule.next(hit);
  return next !== undefined && next <= at ? next : hit;
}

/** Some moment: what holds for the hits of years after it holds for all time. */
const START = 1_767_225_600_000;

/** As many hits are looked at for a gap; a year's of any schedule that people write. */
const MAX_HITS = 50_000;

/**
 * Whether a schedule hits so often that a time after each hit leaves no gap before the next.
 *
 * @param length milliseconds
 */
function alwaysWithin(schedule: CronSchedule, length: number): boolean {
  let hit = schedule.next(START);
  for (let count = 0; count < MAX_HITS && hit !== undefined; count++) {
    const following = schedule.next(hit);
    if (following !== undefined && following - hit > length) return false;
    // Karpenter takes "no hit within five years" for a window that is open (docs/upstream/karpenter.md#schedules).
    if (following === undefined) return true;
    if (following - START > YEAR_MS) return true;
    hit = following;
  }
  return true;
}
