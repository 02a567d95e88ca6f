/** Windows of a week in local time, and budgets with UTC schedules that cover them all year. */
import { civilOf, DAY_MS, daysOf } from "../../model/values/civil-date.ts";
import type { TimeZone } from "./zone.ts";

export interface LocalWindow {
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Minutes since midnight. */
  readonly start: number;
  /** Minutes. */
  readonly length: number;
}

export interface UtcBudget {
  readonly schedule: string;
  readonly duration: string;
  /** Minutes that local time is ahead of UTC in the months of this budget. */
  readonly offset: number;
  /** The months in which the time zone has this offset on at least one day. */
  readonly months: readonly number[];
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Days as `mon-fri`, `mon,wed`, `fri-mon`, `daily`; an end that is no later than the start is on the next day. */
export function parseLocalWindow(text: string): LocalWindow | undefined {
  const [, days = "", ...times] =
    /^\s*(?:(\S+)\s+)?(\d\d?):(\d\d)\s*-\s*(\d\d?):(\d\d)\s*$/.exec(text.toLowerCase()) ?? [];
  if (times.length === 0) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = times.map(Number);
  const start = fromHour * 60 + fromMinute;
  const end = toHour * 60 + toMinute;
  const weekdays = parseWeekdays(days);
  if (weekdays === undefined || fromMinute > 59 || toMinute > 59 || start >= DAY || end > DAY) return undefined;
  return { weekdays, start, length: end > start ? end - start : end + DAY - start };
}

const DAY = 1440;
const WEEK = 7 * DAY;

/** Minutes since the beginning of a Sunday; the end is exclusive, and may be in the next week. */
interface WeekSpan {
  readonly from: number;
  readonly to: number;
}

/** Spans with the same time of day and length are one window. */
export function windowsOf(spans: readonly WeekSpan[]): LocalWindow[] {
  const groups = Map.groupBy(spans, ({ from, to }) => `${from % DAY} ${to - from}`);
  return [...groups.values()].map((group) => {
    const [{ from, to }] = group as [WeekSpan];
    const weekdays = new Set(group.map((span) => Math.floor(span.from / DAY) % 7));
    return { weekdays, start: from % DAY, length: to - from };
  });
}

/** The rest of the week: from the end of each span to the beginning of the next one. @param spans in order */
export function betweenSpans(spans: readonly WeekSpan[]): WeekSpan[] {
  const nextOf = (index: number): number => spans[index + 1]?.from ?? spans[0]!.from + WEEK;
  const gaps = spans.map(({ to }, index) => ({ from: to, to: nextOf(index) }));
  return gaps
    .filter(({ from, to }) => from < to)
    .map(({ from, to }) => ({ from: from % WEEK, to: to - from + (from % WEEK) }));
}

export function outsideOf({ weekdays, start, length }: LocalWindow): LocalWindow[] {
  const days = [...weekdays].toSorted((a, b) => a - b);
  return windowsOf(betweenSpans(days.map((day) => ({ from: day * DAY + start, to: day * DAY + start + length }))));
}

/** Such as `Mon–Fri 09:00–17:00`, or `Fri 18:00–Mon 08:00` for a window that ends on another day than the next. */
export function windowText({ weekdays, start, length }: LocalWindow): string {
  const from = timeText(start);
  const to = timeText((start + length) % DAY || DAY);
  const days = [...weekdays].toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  if (length > DAY)
    return days.map((day) => `${DAY_NAMES[day]!} ${from}–${DAY_NAMES[(day + Math.floor((start + length - 1) / DAY)) % 7]!} ${to}`).join(", "); // prettier-ignore
  const named = days.length === 7 ? "daily" : ranges(days.map((day) => (day + 6) % 7), MONDAY_FIRST).replaceAll("-", "–").replaceAll(",", ", "); // prettier-ignore
  return `${named} ${from}–${to}`;
}

const DAY_NAMES = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONDAY_FIRST = [...DAY_NAMES.slice(1), "Sun"];

function timeText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function parseWeekdays(text: string): Set<number> | undefined {
  if (["", "*", "daily"].includes(text)) return new Set(WEEKDAYS.keys());
  const days = new Set<number>();
  for (const part of text.split(",")) {
    const [first = "", last = first, ...more] = part.split("-");
    const [from, to] = [WEEKDAYS.indexOf(first), WEEKDAYS.indexOf(last)];
    if (from === -1 || to === -1 || more.length > 0) return undefined;
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === to) break;
    }
  }
  return days;
}

/**
 * One budget for each UTC offset of the time zone in these years. In a month in which clocks change, two budgets are
 * active. The window is then an hour longer than asked for, and never shorter.
 */
export function utcBudgets(window: LocalWindow, zone: TimeZone, at: number): UtcBudget[] {
  const months = monthsByOffset(zone, at, window.length);
  return [...months]
    .toSorted(([a], [b]) => b - a)
    .map(([offset, months]) => {
      const start = window.start - offset;
      const shift = Math.floor(start / DAY);
      const minute = start - shift * DAY;
      const weekdays = [...window.weekdays].map((day) => (day + shift + 7) % 7);
      const inMonths = months.length === 12 ? "*" : ranges(months);
      return { ...scheduleOf({ ...window, weekdays: new Set(weekdays), start: minute }, inMonths), offset, months };
    });
}

/** A budget's times, for a window in UTC. @param months the field of the schedule */
export function scheduleOf(
  { weekdays, start, length }: LocalWindow,
  months = "*",
): { schedule: string; duration: string } {
  const onDays = weekdays.size === 7 ? "*" : ranges([...weekdays], WEEKDAYS);
  return { schedule: `${start % 60} ${Math.floor(start / 60)} * ${months} ${onDays}`, duration: durationOf(length) };
}

const YEARS = 5;

/** By the UTC date on which a window begins. Both ends are looked at, because clocks may change during a window. */
function monthsByOffset(zone: TimeZone, at: number, length: number): Map<number, number[]> {
  const first = civilOf(Math.floor(at / DAY_MS)).year;
  const found = new Map<number, Set<number>>();
  const last = daysOf(first + YEARS, 1, 1);
  for (let day = daysOf(first, 1, 1); day < last; day++) {
    const { month } = civilOf(day);
    const begin = day * DAY_MS;
    for (const moment of [begin, begin + DAY_MS + length * 60_000 - 1]) {
      const offset = zone.offsetAt(moment) / 60_000;
      found.set(offset, (found.get(offset) ?? new Set()).add(month));
    }
  }
  return new Map([...found].map(([offset, months]) => [offset, [...months].toSorted((a, b) => a - b)]));
}

/** A field of a schedule, such as `1-3,10-12`. */
function ranges(numbers: readonly number[], names?: readonly string[]): string {
  const word = (number: number): string => names?.[number] ?? String(number);
  const runs: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([a, b]) => (a === b ? word(a) : `${word(a)}-${word(b)}`)).join(",");
}

function durationOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h${rest}m`;
}
