/** Tests that the active spans of a budget agree with a query at each moment. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BudgetWindow, budgetWindow, type Span } from "./budget-window.ts";

const HOUR = 3_600_000;

function windowOf(schedule: string, duration: string): BudgetWindow {
  const window = budgetWindow({ schedule, duration });
  if ("error" in window) throw new Error(window.error);
  return window;
}

function within(from: string, to: string, schedule: string, duration: string): string[] {
  const text = (at: number): string => new Date(at).toISOString().slice(0, 16);
  return windowOf(schedule, duration)
    .spans(Date.parse(from), Date.parse(to))
    .map((span) => `${text(span.from)} ${text(span.to)}`);
}

describe("spans", () => {
  it.each([
    ["0 9 * * mon-fri", "8h", ["2026-01-02T12:00 2026-01-02T17:00", "2026-01-05T09:00 2026-01-05T17:00"]],
    ["0 */6 * * *", "6h", ["2026-01-02T12:00 2026-01-06T00:00"]],
    ["0 0 * * *", "0m", []],
    ["0 0 30 2 *", "0m", ["2026-01-02T12:00 2026-01-06T00:00"]],
    [", * * * *", "1h", ["2026-01-02T12:00 2026-01-06T00:00"]],
    ["@every 1h", "2h", ["2026-01-02T12:00 2026-01-06T00:00"]],
    ["@every 3h", "2h", []],
    ["* * * * *", "200000h", ["2026-01-02T12:00 2026-01-06T00:00"]],
  ])("of `%s` for %s", (schedule, duration, spans) => {
    expect(within("2026-01-02T12:00:00Z", "2026-01-06T00:00:00Z", schedule, duration)).toStrictEqual(spans);
  });

  it("of a schedule without hits for some years", () => {
    expect(within("2096-01-01T00:00:00Z", "2105-01-01T00:00:00Z", "0 0 29 2 *", "1h")).toStrictEqual([
      "2096-02-29T00:00 2099-01-01T00:59",
      "2104-02-29T00:00 2104-02-29T01:00",
    ]);
    // From the last hit on, followed by years without one.
    expect(windowOf("0 0 29 2 *", "0m").spans(Date.UTC(2096, 0, 1), Date.UTC(2105, 0, 1))).toStrictEqual([
      { from: Date.UTC(2096, 1, 29), to: Date.UTC(2098, 11, 31, 23, 59, 59) },
    ]);
  });

  const field = (max: number) =>
    fc.oneof(fc.constant("*"), fc.integer({ min: 0, max }).map(String), fc.constantFrom("*/5", "1,3", "1-4"));
  const fields = fc
    .tuple(field(59), field(23), fc.constantFrom("*", "1", "*/9", "31"), fc.constantFrom("*", "2", "1-6"), field(6))
    .map((fields) => fields.join(" "));
  const minutes = (from: number, to: number) =>
    fc.integer({ min: from / 60_000, max: to / 60_000 }).map((minutes) => minutes * 60_000);
  const anyTime = fc.record({ schedule: fields, start: minutes(Date.UTC(2025, 0, 1), Date.UTC(2100, 0, 1)) });
  // Before and during the years without hits, and at their end.
  const leapDays = fc.record({
    schedule: fc.constantFrom("0 0 29 2 *", "0 0 30 2 *"),
    start: fc.oneof(
      minutes(Date.UTC(2096, 1, 20), Date.UTC(2096, 2, 1)),
      minutes(Date.UTC(2098, 11, 15), Date.UTC(2099, 0, 2)),
    ),
  });

  it("agree with a query at each moment", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyTime, leapDays),
        fc.constantFrom("0m", "1m", "45m", "8h", "100h", "9000h"),
        fc.integer({ min: 1, max: 20 * 24 }),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 30, maxLength: 30 }),
        ({ schedule, start: from }, duration, hours, shares) => {
          const window = windowOf(schedule, duration);
          const to = from + hours * HOUR;
          const spans = window.spans(from, to);
          const inside = (at: number): boolean => spans.some((span: Span) => span.from <= at && at < span.to);
          const edges = spans.flatMap((span) => [span.from, span.to, span.from - 1, span.to - 1]);
          for (const at of [...shares.map((share) => from + Math.floor(share * (to - from))), ...edges])
            if (at >= from && at < to)
              expect(inside(at), `${schedule} ${duration} at ${new Date(at).toISOString()}`).toBe(window.isActive(at));
        },
      ),
      { numRuns: 600 },
    );
  });
});
