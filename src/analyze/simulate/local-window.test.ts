/** Tests that the budgets of a window allow disruption in the window only, at each minute. */
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { allowedDisruptions, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { DAY_MS, daysOf, weekdayOf } from "../../model/values/civil-date.ts";
import { type LocalWindow, outsideOf, parseLocalWindow, scheduleOf, windowText } from "./local-window.ts";

/** A day in the middle of a year; schedules of a week are the same on all weeks. */
const BEGIN = daysOf(2026, 6, 10);

function isWithin({ weekdays, start, length }: LocalWindow, day: number, minute: number): boolean {
  return [0, 1].some((ago) => {
    const since = minute + ago * 1440 - start;
    return weekdays.has(weekdayOf(day - ago)) && since >= 0 && since < length;
  });
}

const window = fc.record({
  weekdays: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }).map((days) => new Set(days)),
  start: fc.constantFrom(0, 1, 60, 480, 1320, 1439),
  length: fc.constantFrom(1, 60, 600, 1380, 1440),
});

describe("the budgets of an allowed window", () => {
  it("let nodes go in the window only", () => {
    const seen = { inside: 0, outside: 0 };
    fc.assert(
      fc.property(window, (allowed) => {
        const blocked = outsideOf(allowed);
        const budgets = blocked.map((one) => readBudget({ nodes: "0", ...scheduleOf(one) }));
        for (let day = BEGIN; day < BEGIN + 7; day++)
          for (let minute = 0; minute < 1440; minute += 59) {
            const inside = isWithin(allowed, day, minute);
            const { nodes, errors } = allowedDisruptions(budgets, "Drifted", 5, day * DAY_MS + minute * 60_000);
            expect([errors, nodes > 0]).toStrictEqual([[], inside]);
            seen[inside ? "inside" : "outside"] += 1;
          }
      }),
      { numRuns: 200, seed: 7 },
    );
    expect(Math.min(seen.inside, seen.outside)).toBeGreaterThan(1000);
  });

  test.each([
    ["mon 01:00-05:00", "Mon 01:00–05:00", "Mon 05:00–Mon 01:00"],
    ["mon-fri 08:00-18:00", "Mon–Fri 08:00–18:00", "Fri 18:00–Mon 08:00; Mon–Thu 18:00–08:00"],
    ["fri-mon 22:00-06:00", "Mon, Fri–Sun 22:00–06:00", "Mon, Sat–Sun 06:00–22:00; Tue 06:00–Fri 22:00"],
    ["daily 00:00-24:00", "daily 00:00–24:00", ""],
    ["sun 00:00-12:00", "Sun 00:00–12:00", "Sun 12:00–Sat 24:00"],
  ])("%s", (text, words, outside) => {
    const parsed = parseLocalWindow(text)!;
    expect(windowText(parsed)).toBe(words);
    expect(outsideOf(parsed).map(windowText).toSorted().join("; ")).toBe(outside);
  });
});
