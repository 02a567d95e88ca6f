/** Converts times in RFC 3339, as Kubernetes writes them, to milliseconds since 1970. */
import { daysOf, isCivilDate } from "./civil-date.ts";

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Undefined for texts that Go refuses, such as days that do not exist. */
export function parseRfc3339(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [, , , , , , , fraction = "", sign = "+", hours = 0, minutes = 0] = match;
  if (!isCivilDate({ year, month, day })) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const seconds = ((daysOf(year, month, day) * 24 + hour) * 60 + minute) * 60 + second - offset;
  return seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** In UTC; fractions of a second only if there are any. */
export function formatRfc3339(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}
