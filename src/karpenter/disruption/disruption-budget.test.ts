/** Tests disruption budgets against Karpenter's answers: times, reasons and numbers. */
import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGETS, type DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import {
  activityOf,
  allowedDisruptions,
  type Budget,
  letsNothingThrough,
  readBudget,
  UNLIMITED,
} from "./disruption-budget.ts";

interface Asked {
  readonly reason?: DisruptionReason;
  readonly nodes?: number;
  readonly at?: string;
}

function allowed(
  budgets: readonly Budget[],
  { reason = "Drifted", nodes = 10, at = "2026-01-05T12:00:00Z" }: Asked = {},
) {
  return allowedDisruptions(budgets.map(readBudget), reason, nodes, Date.parse(at));
}

/** Whether a budget of 0 nodes applies: 0 is active, unlimited is not. */
function isActive(schedule: string, duration: string, at: string): boolean {
  const { nodes, errors } = allowed([{ nodes: "0", schedule, duration }], { at });
  expect(errors).toStrictEqual([]);
  expect([0, UNLIMITED]).toContain(nodes);
  return nodes === 0;
}

const WORKDAY = "0 9 * * mon-fri";

describe("when a budget is active", () => {
  it.each([
    ["B1", "2026-01-05T09:00:00Z", WORKDAY, "8h", true],
    ["B2", "2026-01-05T16:59:59.999Z", WORKDAY, "8h", true],
    ["the end is no part of it", "2026-01-05T17:00:00Z", WORKDAY, "8h", false],
    ["B4", "2026-01-05T08:59:59.999Z", WORKDAY, "8h", false],
    ["B5", "2026-01-04T10:00:00Z", WORKDAY, "8h", false],
    ["B6", "2026-01-05T10:00:00+02:00", WORKDAY, "8h", false],
    ["B8", "2026-01-05T12:34:00Z", "* * * * *", "1m", true],
    ["B9", "2026-01-05T12:00:30Z", "* * * * *", "30s", false],
    ["B11", "2026-06-01T00:00:00Z", "0 0 29 2 *", "1h", false],
    ["B12", "2026-01-05T12:00:00Z", ", * * * *", "1h", true],
    ["B12 at another time", "2031-07-19T03:21:09Z", ", * * * *", "1h", true],
    ["B18", "2026-01-05T12:00:00Z", "0 9 1 * mon", "8h", true],
    ["B18 on the day of the month", "2026-01-01T12:00:00Z", "0 9 1 * mon", "8h", true],
    ["B18 on neither", "2026-01-06T12:00:00Z", "0 9 1 * mon", "8h", false],
    ["a step is no star, so either day will do", "2026-01-05T12:00:00Z", "0 9 */31 * mon", "8h", true],
    ["a star asks for both", "2026-01-05T12:00:00Z", "0 9 * * tue", "8h", false],
    ["names in any case, ? for *", "2026-01-05T12:00:00Z", "0 9 ? JAN Mon", "8h", true],
    ["@daily", "2026-01-05T01:59:00Z", "@daily", "2h", true],
    ["@weekly begins on Sunday", "2026-01-05T01:00:00Z", "@weekly", "2h", false],
    ["@midnight", "2026-01-05T00:00:00Z", "@midnight", "1h", true],
    ["@hourly", "2026-01-05T12:45:00Z", "@hourly", "30m", false],
    ["@monthly", "2026-01-01T00:30:00Z", "@monthly", "1h", true],
    ["@yearly", "2026-12-31T23:00:00Z", "@yearly", "1h", false],
    ["@annually", "2026-01-01T00:59:59Z", "@annually", "1h", true],
    ["given up after five years", "2099-06-01T00:00:00Z", "0 0 29 2 *", "1h", false],
    ["2097 sees no leap year until 2104", "2097-06-01T00:00:00Z", "0 0 29 2 *", "1h", true],
    ["a window longer than the time between its hits", "2026-01-05T08:00:00Z", "0 9 * * *", "24h", true],
  ])("%s: %s `%s` %s", (_name, at, schedule, duration, active) => {
    expect(isActive(schedule, duration, at)).toBe(active);
  });
});

describe("an invalid budget allows nothing", () => {
  it.each([
    ["B13", "0 9 * * 7", "end of range (7) above maximum (6): 7"],
    ["B15", "0 0 9 * * mon", "expected exactly 5 fields, found 6: [0 0 9 * * mon]"],
    [
      "B15 with a zone",
      "TZ=Europe/Berlin 0 9 * * *",
      "expected exactly 5 fields, found 6: [TZ=Europe/Berlin 0 9 * * *]",
    ],
    ["B16", "@dailyfoo", "unrecognized descriptor: @dailyfoo"],
    ["no wrapping ranges", "0 9 * * fri-mon", "beginning of range (5) beyond end of range (1): fri-mon"],
  ])("%s", (_name, schedule, error) => {
    expect(allowed([{ nodes: "5", schedule, duration: "1h" }])).toStrictEqual({ nodes: 0, errors: [error] });
  });

  it("a duration that Go cannot hold", () => {
    const { nodes, errors } = allowed([{ nodes: "5", schedule: "@daily", duration: "99999999h" }]);
    expect({ nodes, errors }).toStrictEqual({ nodes: 0, errors: ['time: invalid duration "99999999h"'] });
  });
});

describe("how many nodes", () => {
  it.each([
    ["10%", 0, 0],
    ["10%", 1, 1],
    ["10%", 10, 1],
    ["10%", 11, 2],
    ["10%", 19, 2],
    ["5%", 10, 1],
    ["33%", 3, 1],
    ["34%", 3, 2],
    ["0%", 10, 0],
    ["100%", 7, 7],
  ])("B21: %s of %i are %i", (percent, nodes, value) => {
    expect(allowed([{ nodes: percent }], { nodes })).toStrictEqual({ nodes: value, errors: [] });
  });

  it.each([
    ["007", 7],
    ["4294967296", 0],
    ["2147483648", -2_147_483_648],
    ["4294967299", 3],
  ])("B22: %s is %i", (text, value) => {
    expect(allowed([{ nodes: text }])).toStrictEqual({ nodes: value, errors: [] });
  });

  it("B22: 20 digits are an error only while the budget is active", () => {
    const nodes = "99999999999999999999";
    const error = "invalid value for IntOrString: invalid type: string is not a percentage";
    expect(allowed([{ nodes }])).toStrictEqual({ nodes: 0, errors: [error] });
    const schedule = { schedule: "0 0 1 1 *", duration: "1h" };
    expect(allowed([{ nodes, ...schedule }])).toStrictEqual({ nodes: UNLIMITED, errors: [] });
  });
});

describe("which budgets count", () => {
  it("B23: an empty list allows everything, no list is 10%", () => {
    expect(allowed([])).toStrictEqual({ nodes: UNLIMITED, errors: [] });
    expect(allowed(DEFAULT_BUDGETS, { nodes: 11 })).toStrictEqual({ nodes: 2, errors: [] });
  });

  it("B24: an empty list of reasons applies to none", () => {
    expect(allowed([{ nodes: "0", reasons: [] }]).nodes).toBe(UNLIMITED);
  });

  it("B25: an invalid schedule for one reason blocks the others too", () => {
    const budgets = [{ nodes: "3" }, { nodes: "5", reasons: ["Empty"], schedule: "0 9 * * 7", duration: "1h" }];
    expect(allowed(budgets, { reason: "Drifted" }).nodes).toBe(0);
    expect(allowed(budgets, { reason: "Empty" }).nodes).toBe(0);
  });

  it("B26: a budget for Empty does not restrict other reasons", () => {
    const budgets = [{ nodes: "1", reasons: ["Empty"] }];
    const values = (["Empty", "Underutilized", "Drifted"] as const).map((reason) => allowed(budgets, { reason }).nodes);
    expect(values).toStrictEqual([1, UNLIMITED, UNLIMITED]);
  });

  it("the minimum of the active budgets", () => {
    const budgets = [{ nodes: "5" }, { nodes: "30%" }, { nodes: "1", schedule: WORKDAY, duration: "8h" }];
    expect(allowed(budgets, { at: "2026-01-05T12:00:00Z" }).nodes).toBe(1);
    expect(allowed(budgets, { at: "2026-01-05T20:00:00Z" }).nodes).toBe(3);
  });
});

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
