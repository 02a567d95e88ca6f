/** Tests when budgets are active, and whether they allow any disruption. */
import { describe, expect, it } from "vitest";
import { activityOf, letsNothingThrough } from "./budget-blocking.ts";

describe("a budget is active", () => {
  it.each([
    ["0 9 * * mon-fri", "8h", "sometimes"],
    ["@daily", "24h", "always"],
    ["@daily", "23h59m", "sometimes"],
    ["@hourly", "1h", "always"],
    ["@hourly", "60m", "always"],
    ["* * * * *", "1m", "always"],
    ["* 8-17 * * *", "1m", "sometimes"],
    ["* * * * mon-fri", "1m", "sometimes"],
    ["* * 1-30 * *", "1m", "sometimes"],
    ["@weekly", "168h", "always"],
    ["@monthly", "720h", "sometimes"],
    ["@monthly", "744h", "always"],
    // No hit within five years: Karpenter treats the window as open.
    ["0 0 30 2 *", "1h", "always"],
    ["0 0 30 2 *", "0m", "always"],
    [", * * * *", "1h", "always"],
    ["0 0 29 2 *", "24h", "sometimes"],
    ["@daily", "0m", "never"],
    // Karpenter asks for the hit after a moment; the hits of this schedule are relative to that moment.
    ["@every 1h", "2h", "always"],
    ["@every 3h", "2h", "never"],
  ])("%s for %s: %s", (schedule, duration, when) => {
    expect(activityOf({ nodes: "0", schedule, duration })).toStrictEqual({ when });
  });

  it("always, without a schedule", () => {
    expect(activityOf({ nodes: "0" })).toStrictEqual({ when: "always" });
  });

  it("an error, if the schedule is invalid", () => {
    expect(activityOf({ nodes: "0", schedule: "0 9 * * 7", duration: "1h" })).toStrictEqual({
      when: "error",
      error: "end of range (7) above maximum (6): 7",
    });
  });
});

it.each([
  ["0", true],
  ["00", true],
  ["0%", true],
  ["1", false],
  ["007", false],
  ["1%", false],
  ["100%", false],
  ["2147483647", false],
  // Go's int32 wraps.
  ["2147483648", true],
  ["4294967296", true],
  ["4294967297", false],
  ["99999999999999999999", true],
])("%s nodes block all disruption: %s", (nodes, blocks) => {
  expect(letsNothingThrough({ nodes })).toBe(blocks);
});

it("Karpenter's default allows a tenth", () => {
  expect(letsNothingThrough({})).toBe(false);
});
