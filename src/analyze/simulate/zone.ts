/** Time zones of the IANA database, local times, and moments such as `+36h` or RFC 3339. */
import { civilOf, daysOf, weekdayOf, DAY_MS, isCivilDate } from "../../model/values/civil-date.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";

export interface TimeZone {
  readonly name: string;
  /** Milliseconds that local time is ahead of UTC. */
  readonly offsetAt: (at: number) => number;
}

export const UTC: TimeZone = { name: "UTC", offsetAt: () => 0 };

/** Undefined for an unknown name. */
export function timeZone(name: string): TimeZone | undefined {
  if (name.toUpperCase() === "UTC") return UTC;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  // Offsets change on quarters of an hour, and formatting is slow: each quarter is formatted once.
  const known = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const quarter = Math.floor(at / QUARTER);
    const seen = known.get(quarter);
    if (seen !== undefined) return seen;
    const text = format.formatToParts(quarter * QUARTER).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const offset = offsetOf(text);
    known.set(quarter, offset);
    return offset;
  };
  return { name: format.resolvedOptions().timeZone, offsetAt };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `GMT`, `GMT+02:00`, `GMT-00:53:28`. */
function offsetOf(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(text) ?? [];
  const size = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === "-" ? -size : size;
}

export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export function localTime(at: number, zone: TimeZone): LocalTime {
  const local = Math.floor((at + zone.offsetAt(at)) / SECOND);
  const days = Math.floor(local / 86_400);
  const ofDay = local - days * 86_400;
  const time = { hour: Math.floor(ofDay / 3600), minute: Math.floor(ofDay / 60) % 60, second: ofDay % 60 };
  return { ...civilOf(days), weekday: weekdayOf(days), ...time };
}

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds since midnight as clocks show it. */
  readonly time: number;
}

/** A local time that occurs twice is its first instant. A local time that clocks skip is that much later. */
function instantOf({ year, month, day, time }: WallClock, zone: TimeZone): number {
  const local = daysOf(year, month, day) * DAY + time;
  const before = zone.offsetAt(local - DAY);
  if (zone.offsetAt(local - before) === before) return local - before;
  const after = zone.offsetAt(local + DAY);
  return zone.offsetAt(local - after) === after ? local - after : local - before;
}

export interface ClockChange {
  readonly at: number;
  /** Milliseconds ahead of UTC. */
  readonly before: number;
  readonly after: number;
}

export function clockChanges(zone: TimeZone, from: number, to: number): ClockChange[] {
  const changes: ClockChange[] = [];
  for (let day = from; day < to; day += DAY) {
    const end = Math.min(day + DAY, to);
    const [before, after] = [zone.offsetAt(day), zone.offsetAt(end)];
    if (before === after) continue;
    let [same, other] = [day, end];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (zone.offsetAt(middle) === before) same = middle;
      else other = middle;
    }
    changes.push({ at: other, before, after });
  }
  return changes;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;

/**
 * `now`, `+36h` or `+7d` from `base`, a date, a date and time in `zone`, or RFC 3339 with its own offset. Undefined for
 * anything else, and for dates that do not exist.
 */
export function parseTime(text: string, base: number, zone: TimeZone): number | undefined {
  if (text === "now") return base;
  if (text.startsWith("+")) {
    const length = parseLength(text.slice(1));
    return length === undefined ? undefined : base + length;
  }
  const [, ...parts] = TIME.exec(text) ?? [];
  if (parts.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map((part) => Number(part ?? 0));
  if (!isCivilDate({ year, month, day }) || hour > 23 || minute > 59 || second > 59) return undefined;
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + Number((parts[6] ?? "0").padEnd(3, "0"));
  const offset = parts[7];
  if (offset === undefined) return instantOf({ year, month, day, time }, zone);
  const [sign, hours, minutes] = [offset[0], Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  const ahead = offset.length === 1 ? 0 : (hours * 60 + minutes) * 60_000 * (sign === "-" ? -1 : 1);
  return instantOf({ year, month, day, time }, UTC) - ahead;
}

/** Milliseconds of a Go duration, or of a number of days such as `7d`. */
function parseLength(text: string): number | undefined {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return Number(days) * DAY_MS;
  const length = parseGoMilliseconds(text);
  return length === undefined || length < 0 ? undefined : length;
}
