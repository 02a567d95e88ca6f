/** Parses moments such as `now`, `+36h`, a date or RFC 3339. */
import { DAY_MS, isCivilDate } from "../../model/civil-date.ts";
import { parseGoMilliseconds } from "../../model/go-duration.ts";
import { instantOf, type TimeZone, UTC } from "./zone.ts";

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
