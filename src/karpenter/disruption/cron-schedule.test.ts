/** Tests how Karpenter parses cron schedules: errors, and hits. */
import { describe, expect, it } from "vitest";
import { civilOf, weekdayOf } from "../../model/values/civil-date.ts";
import { parseCronSchedule } from "./cron-schedule.ts";

function hits(text: string, after: string, count = 1): string[] {
  const parsed = parseCronSchedule(text);
  if ("error" in parsed) throw new Error(parsed.error);
  const found: string[] = [];
  let at: number | undefined = Date.parse(after);
  for (let index = 0; index < count && at !== undefined; index++) {
    at = parsed.schedule.next(at);
    found.push(at === undefined ? "never" : new Date(at).toISOString().replace(":00.000Z", ""));
  }
  return found;
}

describe("refused schedules", () => {
  it.each([
    ["0 9 * * 7", "end of range (7) above maximum (6): 7"],
    ["0 0 9 * * mon", "expected exactly 5 fields, found 6: [0 0 9 * * mon]"],
    ["TZ=Europe/Berlin 0 9 * * *", "expected exactly 5 fields, found 6: [TZ=Europe/Berlin 0 9 * * *]"],
    ["", "expected exactly 5 fields, found 0: []"],
    ["@dailyfoo", "unrecognized descriptor: @dailyfoo"],
    ["@Daily", "unrecognized descriptor: @Daily"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["* 17-9 * * *", "beginning of range (17) beyond end of range (9): 17-9"],
    ["* * * * fri-mon", "beginning of range (5) beyond end of range (1): fri-mon"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["-1 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ["1/-2 * * * *", "negative number (-2) not allowed: -2"],
    ["* * L * *", 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax'],
    ["* * * * mon#1", 'failed to parse int from mon#1: strconv.Atoi: parsing "mon#1": invalid syntax'],
    ["* * mon * *", 'failed to parse int from mon: strconv.Atoi: parsing "mon": invalid syntax'],
    [
      "99999999999999999999 * * * *",
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
  ])("%s", (text, error) => {
    expect(parseCronSchedule(text)).toStrictEqual({ error });
  });
});

describe("hits", () => {
  it.each([
    ["0 9 * * mon-fri", "2026-01-02T09:00:00Z", ["2026-01-05T09:00"]],
    ["0 9 * * MON-Fri", "2026-01-05T08:59:59.999Z", ["2026-01-05T09:00"]],
    ["* * * * *", "2026-01-05T12:00:00Z", ["2026-01-05T12:01"]],
    ["*/20 8-9 * * ?", "2026-01-05T09:20:00Z", ["2026-01-05T09:40", "2026-01-06T08:00"]],
    ["50/5 * * * *", "2026-01-05T12:00:00Z", ["2026-01-05T12:50", "2026-01-05T12:55", "2026-01-05T13:50"]],
    ["0 0 29 2 *", "2026-01-01T00:00:00Z", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    ["0 0 30 2 *", "2026-01-01T00:00:00Z", ["never"]],
    [", * * * *", "2026-01-01T00:00:00Z", ["never"]],
    // Both days are set: one match is enough. A star with a step is not a plain star.
    ["0 9 1 * mon", "2026-01-01T09:00:00Z", ["2026-01-05T09:00", "2026-01-12T09:00"]],
    ["0 9 */2 * mon", "2026-01-01T09:00:00Z", ["2026-01-03T09:00", "2026-01-05T09:00", "2026-01-07T09:00"]],
    ["0 9 */1 * mon", "2026-01-01T09:00:00Z", ["2026-01-05T09:00"]],
    ["@yearly", "2026-01-01T00:00:00Z", ["2027-01-01T00:00"]],
    ["@weekly", "2026-01-01T00:00:00Z", ["2026-01-04T00:00"]],
    ["@monthly", "2026-01-31T00:00:00Z", ["2026-02-01T00:00"]],
    ["@midnight", "2026-12-31T23:59:59Z", ["2027-01-01T00:00"]],
    ["@hourly", "2024-02-28T23:00:00Z", ["2024-02-29T00:00"]],
    [" 5 4 * * * ", "2026-01-01T00:00:00Z", ["2026-01-01T04:05"]],
    ["@every 90m", "2026-01-01T00:00:00.5Z", ["2026-01-01T01:30"]],
  ])("%s after %s", (text, after, expected) => {
    expect(hits(text, after, expected.length)).toStrictEqual(expected);
  });

  it("knows every day of four centuries", () => {
    const end = Date.parse("2400-01-01T00:00:00Z");
    const parsed = parseCronSchedule("0 0 * * *");
    if ("error" in parsed) throw new Error(parsed.error);
    for (let at = Date.parse("2000-01-01T00:00:00Z"); at < end; at += 86_400_000) {
      expect(parsed.schedule.next(at - 1)).toBe(at);
      const { year, month, day } = civilOf(at / 86_400_000);
      const date = new Date(at);
      if (year !== date.getUTCFullYear() || month !== date.getUTCMonth() + 1 || day !== date.getUTCDate())
        expect.fail(`${date.toISOString()} is not ${year}-${month}-${day}`);
      if (weekdayOf(at / 86_400_000) !== date.getUTCDay()) expect.fail(`the weekday of ${date.toISOString()}`);
    }
  });
});
