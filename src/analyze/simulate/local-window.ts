/** Windows in local time, and disruption budgets with UTC schedules that cover them all year. */
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
      const onDays = weekdays.length === 7 ? "*" : ranges(weekdays, WEEKDAYS);
      const schedule = `${minute % 60} ${Math.floor(minute / 60)} * ${inMonths} ${onDays}`;
      return { schedule, duration: durationOf(window.length), offset, months };
    });
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
