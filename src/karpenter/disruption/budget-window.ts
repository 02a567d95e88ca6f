/** Computes when a disruption budget is active, from its schedule and duration. */
import { memoizeString } from "../../krm/values/memoize-string.ts";
import { memoize } from "../../model/schema/memoize.ts";
import { YEAR_MS } from "../../model/values/civil-date.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import { type CronSchedule, givenUpUntil, parseCronSchedule } from "./cron-schedule.ts";

/** Milliseconds since 1970; the end is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface BudgetWindow {
  /** Over all time. */
  readonly when: "always" | "sometimes" | "never";
  readonly isActive: (at: number) => boolean;
  /** The active times in a range, in order, without adjacent ones; with `atMost`, only the first ones. */
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
 * The error is that of robfig/cron, which Karpenter gets whenever it evaluates the budget. Karpenter's rules for
 * schedules are those of docs/upstream/karpenter.md#schedules.
 */
export function budgetWindow({ schedule: text, duration }: Times): BudgetWindow | { readonly error: string } {
  if (text === undefined && duration === undefined) return ALWAYS;
  return windowOf(JSON.stringify([text ?? "", duration ?? "0s"]));
}

/** Each may have a thousand times a day. */
const MOST_WINDOWS = 200;

/** Pools share windows. @param times a schedule and a duration as JSON */
const windowOf = memoizeString((times): BudgetWindow | { readonly error: string } => {
  const [text, duration] = JSON.parse(times) as [string, string];
  const parsed = parseCronSchedule(text);
  if ("error" in parsed) return parsed;
  const length = parseGoMilliseconds(duration);
  // The API server accepts it, but Karpenter cannot decode the NodePool.
  if (length === undefined) return { error: `time: invalid duration ${JSON.stringify(duration)}` };
  const { schedule } = parsed;
  // Karpenter looks for the first hit after (now − duration): for `@every` it is always before now, or never.
  if (schedule.every !== undefined) return schedule.every <= length ? ALWAYS : NEVER;
  const when = memoize(() => (alwaysWithin(schedule, length) ? "always" : length === 0 ? "never" : "sometimes"));
  return {
    get when() {
      return when();
    },
    isActive: (at) => isActive(schedule, length, at),
    spans: (from, to, atMost = Infinity) => spansOf(schedule, length, { from, to }, atMost),
  };
}, MOST_WINDOWS);

/**
 * Karpenter goes back by the duration and looks for the next hit. If there is none within five years, it treats the
 * window as open.
 */
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

/** The latest hit up to a moment, given an earlier hit: schedules only return the next one. */
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

/** An arbitrary moment: what holds for the hits of the following years holds always. */
const START = 1_767_225_600_000;

/** The number of hits to check for a gap; enough for a year of any common schedule. */
const MAX_HITS = 50_000;

/**
 * Whether the windows of consecutive hits leave no gap.
 *
 * @param length milliseconds
 */
function alwaysWithin(schedule: CronSchedule, length: number): boolean {
  let hit = schedule.next(START);
  for (let count = 0; count < MAX_HITS && hit !== undefined; count++) {
    const following = schedule.next(hit);
    if (following !== undefined && following - hit > length) return false;
    // Karpenter treats "no hit within five years" as an open window (docs/upstream/karpenter.md#schedules).
    if (following === undefined) return true;
    if (following - START > YEAR_MS) return true;
    hit = following;
  }
  return true;
}
