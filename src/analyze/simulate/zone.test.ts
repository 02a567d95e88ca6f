/** Moments in various formats, in time zones with daylight saving time. */
import { describe, expect, it } from "vitest";
import { parseTime, clockChanges, localTime, timeZone, UTC } from "./zone.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const berlin = timeZone("Europe/Berlin")!;

function read(text: string, zone = UTC): string | undefined {
  const at = parseTime(text, NOW, zone);
  return at === undefined ? undefined : new Date(at).toISOString();
}

describe("a time", () => {
  it.each([
    ["now", "2026-11-21T10:00:00.000Z"],
    ["+36h", "2026-11-22T22:00:00.000Z"],
    ["+7d", "2026-11-28T10:00:00.000Z"],
    ["+1h30m", "2026-11-21T11:30:00.000Z"],
    ["2026-11-23", "2026-11-23T00:00:00.000Z"],
    ["2026-11-23 09:30", "2026-11-23T09:30:00.000Z"],
    ["2026-11-23T09:30:15.25Z", "2026-11-23T09:30:15.250Z"],
    ["2026-11-23T09:30+02:00", "2026-11-23T07:30:00.000Z"],
    ["2026-11-23T09:30-0330", "2026-11-23T13:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
    ["2026-02-29", undefined],
    ["2026-13-01", undefined],
    ["2026-11-23T24:00", undefined],
    ["23.11.2026", undefined],
    ["+7", undefined],
    ["", undefined],
  ])("%s", (text, moment) => {
    expect(read(text)).toBe(moment);
  });

  it.each([
    ["2026-11-23 09:00", "2026-11-23T08:00:00.000Z"],
    ["2026-07-01 09:00", "2026-07-01T07:00:00.000Z"],
    ["2026-07-01T09:00Z", "2026-07-01T09:00:00.000Z"],
    // Clocks go from 02:00 to 03:00, and from 03:00 to 02:00.
    ["2026-03-29 02:30", "2026-03-29T01:30:00.000Z"],
    ["2026-10-25 02:30", "2026-10-25T00:30:00.000Z"],
  ])("%s in Berlin", (text, moment) => {
    expect(read(text, berlin)).toBe(moment);
  });
});

describe("a time zone", () => {
  it("is one of the database", () => {
    expect(timeZone("Europe/Atlantis")).toBeUndefined();
    expect(timeZone("utc")).toBe(UTC);
  });

  it("shows the local time", () => {
    expect(localTime(Date.parse("2026-12-31T23:30:05Z"), berlin)).toStrictEqual({
      year: 2027,
      month: 1,
      day: 1,
      weekday: 5,
      hour: 0,
      minute: 30,
      second: 5,
    });
    expect(localTime(Date.parse("2026-06-01T00:00:00Z"), timeZone("Asia/Kolkata")!)).toMatchObject({
      hour: 5,
      minute: 30,
    });
  });

  it("knows when clocks change", () => {
    const changes = clockChanges(berlin, NOW, NOW + 365 * 86_400_000);
    expect(
      changes.map(({ at, before, after }) => [new Date(at).toISOString(), before / 60_000, after / 60_000]),
    ).toStrictEqual([
      ["2027-03-28T01:00:00.000Z", 60, 120],
      ["2027-10-31T01:00:00.000Z", 120, 60],
    ]);
    expect(clockChanges(UTC, NOW, NOW + 365 * 86_400_000)).toStrictEqual([]);
  });
});
