/** Times compared with JavaScript's own reading, and texts that Go refuses. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRfc3339 } from "./rfc3339.ts";

test("every time that JavaScript writes is read back", () => {
  const times = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, (time) => {
      expect(parseRfc3339(time.toISOString())).toBe(time.getTime());
    }),
  );
});

test("an offset and any number of decimal places", () => {
  expect(parseRfc3339("2026-01-05T09:00:00+02:30")).toBe(Date.parse("2026-01-05T06:30:00Z"));
  expect(parseRfc3339("2026-01-05T09:00:00-02:30")).toBe(Date.parse("2026-01-05T11:30:00Z"));
  expect(parseRfc3339("2026-01-05T09:00:00.5Z")).toBe(Date.parse("2026-01-05T09:00:00.500Z"));
  expect(parseRfc3339("2026-01-05T09:00:00.123456789Z")).toBe(Date.parse("2026-01-05T09:00:00.123Z"));
});

test.each([
  "",
  "now",
  "2026-01-05",
  "2026-01-05T09:00Z",
  "2026-01-05T09:00:00",
  "2026-01-05 09:00:00Z",
  "2026-01-05t09:00:00z",
  "2026-02-29T09:00:00Z",
  "2026-13-01T09:00:00Z",
  "2026-01-00T09:00:00Z",
  "2026-01-05T24:00:00Z",
  "2026-01-05T23:60:00Z",
  "2026-01-05T23:59:60Z",
  "2026-01-05T09:00:00+24:00",
])("%j is not a time", (text) => {
  expect(parseRfc3339(text)).toBeUndefined();
});
