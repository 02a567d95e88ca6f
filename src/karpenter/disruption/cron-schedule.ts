/** Parses cron schedules as Karpenter does with robfig/cron v3 (ParseStandard, in UTC). */
import { parseGoDuration } from "../../model/values/go-duration.ts";
import { civilOf, DAY_MS, daysOf, weekdayOf } from "../../model/values/civil-date.ts";
import { atoi } from "../../model/values/int64.ts";

export interface CronSchedule {
  /** The first hit after a moment, both in milliseconds since 1970; undefined if there is none within five years. */
  readonly next: (after: number) => number | undefined;
  /** Interval of `@every` in milliseconds: hits are relative to the queried moment, without a fixed start. */
  readonly every?: number;
}

export type ParsedSchedule = { readonly schedule: CronSchedule } | { readonly error: string };

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MINUTE: Field = { min: 0, max: 59 };
const HOUR: Field = { min: 0, max: 23 };
const DAY: Field = { min: 1, max: 31 };
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH: Field = { min: 1, max: 12, names: MONTHS };
const WEEKDAY: Field = { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] };
const FIELDS = [MINUTE, HOUR, DAY, MONTH, WEEKDAY];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

interface Values {
  readonly of: ReadonlySet<number>;
  /** The field is `*`. If the day of month or the day of week is `*`, both must match; else one match is enough. */
  readonly star: boolean;
}

/** Error texts are those of robfig/cron. A time zone counts as an extra field, because Karpenter prepends UTC. */
export function parseCronSchedule(text: string): ParsedSchedule {
  const trimmed = trim(text);
  if (trimmed.startsWith("@")) return parseDescriptor(trimmed);
  const fields = trimmed.split(BLANK).filter((field) => field !== "");
  if (fields.length !== 5) return { error: `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]` };
  const values: Values[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const parsed = parseField(fields[index]!, field);
    if (typeof parsed === "string") return { error: parsed };
    values.push(parsed);
  }
  const [minute, hour, day, month, weekday] = values as [Values, Values, Values, Values, Values];
  const minutes = [...hour.of].flatMap((hourOf) => [...minute.of].map((minuteOf) => hourOf * 60 + minuteOf));
  const times = { minutes: minutes.toSorted((a, b) => a - b), day, month, weekday };
  return { schedule: { next: remembering((after) => nextHit(after, times)) } };
}

function parseDescriptor(text: string): ParsedSchedule {
  if (Object.hasOwn(DESCRIPTORS, text)) return parseCronSchedule(DESCRIPTORS[text]!);
  if (!text.startsWith("@every ")) return { error: `unrecognized descriptor: ${text}` };
  const delay = parseGoDuration(text.slice("@every ".length));
  if (delay === undefined) return { error: `failed to parse duration ${text}` };
  const seconds = Math.max(1, Number(delay / 1_000_000_000n));
  return { schedule: { next: (after) => (Math.floor(after / 1000) + seconds) * 1000, every: seconds * 1000 } };
}

/** Go's unicode.IsSpace, which is not JavaScript's `\s`: without the byte order mark, with the next-line character. */
const BLANK = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BLANK.test(text[start]!)) start += 1;
  while (start < end && BLANK.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

/** A list; empty parts are skipped, so `,` never hits. */
function parseField(text: string, field: Field): Values | string {
  const of = new Set<number>();
  let star = false;
  for (const part of text.split(",").filter((part) => part !== "")) {
    const range = parseRange(part, field);
    if (typeof range === "string") return range;
    for (let value = range.start; value <= range.end; value += range.step) of.add(value);
    star ||= range.star;
  }
  return { of, star };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly star: boolean;
}

function parseRange(text: string, { min, max, names }: Field): Range | string {
  const [range = "", stepText, ...more] = text.split("/");
  const [low = "", high, ...others] = range.split("-");
  const any = low === "*" || low === "?";
  const start = any ? min : parseNumber(low, names);
  if (typeof start === "string") return start;
  let end = any ? max : start;
  if (!any && high !== undefined) {
    if (others.length > 0) return `too many hyphens: ${text}`;
    const given = parseNumber(high, names);
    if (typeof given === "string") return given;
    end = given;
  }
  if (more.length > 0) return `too many slashes: ${text}`;
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (typeof step === "string") return step;
  // `5/10` means from 5 to the end.
  if (stepText !== undefined && high === undefined) end = max;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  if (step === 0) return `step of range should be a positive number: ${text}`;
  return { start, end, step, star: any && step === 1 };
}

function parseNumber(text: string, names?: readonly string[]): number | string {
  const name = names?.indexOf(text.toLowerCase()) ?? -1;
  if (name !== -1) return name + (names === MONTHS ? 1 : 0);
  const { value, valid } = atoi(text);
  if (!valid) {
    const why = /^[+-]?\d+$/.test(text) ? "value out of range" : "invalid syntax";
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: ${why}`;
  }
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value);
}

interface Times {
  /** Minutes of a day, ascending. */
  readonly minutes: readonly number[];
  readonly day: Values;
  readonly month: Values;
  readonly weekday: Values;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const YEARS_AHEAD = 5;

/** Memoizes the next hit for all moments before it, so that days without hits are searched once. */
function remembering(next: CronSchedule["next"]): CronSchedule["next"] {
  let known: { from: number; to: number; hit: number | undefined } = { from: 0, to: 0, hit: undefined };
  return (after) => {
    if (known.from <= after && after < known.to) return known.hit;
    const hit = next(after);
    known = { from: after, to: hit ?? givenUpUntil(after), hit };
    return hit;
  };
}

/**
 * If there is no hit after a moment, there is none until the returned moment: the five years count from the year of
 * the following second.
 */
export function givenUpUntil(after: number): number {
  const { year } = civilOf(Math.floor((after + SECOND_MS) / DAY_MS));
  return daysOf(year + 1, 1, 1) * DAY_MS - SECOND_MS;
}

function nextHit(after: number, times: Times): number | undefined {
  const from = Math.floor(after / MINUTE_MS) + 1;
  const firstDay = Math.floor((from * MINUTE_MS) / DAY_MS);
  const lastDay = daysOf(civilOf(Math.floor((after + SECOND_MS) / DAY_MS)).year + YEARS_AHEAD + 1, 1, 1);
  if (times.minutes.length === 0) return undefined;
  for (let day = firstDay; day < lastDay; day++) {
    if (!dayFits(day, times)) continue;
    const start = day * 1440;
    const minute = firstFrom(times.minutes, from - start);
    if (minute !== undefined) return (start + minute) * MINUTE_MS;
  }
  return undefined;
}

/** The first number that is not below `least`. Binary search: a year of minutes needs half a million lookups. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return ascending[low];
}

function dayFits(days: number, { day, month, weekday }: Times): boolean {
  const civil = civilOf(days);
  if (!month.of.has(civil.month)) return false;
  const ofMonth = day.of.has(civil.day);
  const ofWeek = weekday.of.has(weekdayOf(days));
  return day.star || weekday.star ? ofMonth && ofWeek : ofMonth || ofWeek;
}
