/** Tests the floor of drift budgets: which budgets are split, and the result. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { disruptionReasons } from "../../model/pools/disruption-reasons.ts";
import { PROFILES } from "../../model/crds/profile.ts";
import { allowedDisruptions, type Budget, budgetNodes, readBudget } from "./disruption-budget.ts";
import { isBelowFloor, withDriftedFloor } from "./drifted-floor.ts";

const NIGHT = { schedule: "0 0 * * *", duration: "6h" };
const DAY = { schedule: "0 9 * * mon-fri", duration: "8h" };
const OTHERS = ["Underutilized", "Empty"];
const after = (budgets: readonly Budget[] | undefined, floor: string) =>
  withDriftedFloor(budgets, floor, "karpenter-1.14")?.budgets.map(({ budget }) => budget);

describe("below a floor in a pool of some size", () => {
  test.each([
    ["0", "1", true],
    ["0%", "1", true],
    ["1", "1", false],
    ["1%", "1", false],
    ["10%", "2", true],
    ["50%", "2", true],
    ["51%", "2", false],
    ["66%", "3", true],
    ["67%", "3", false],
    ["100%", "999999999", false],
    ["1", "2", true],
    ["2", "2", false],
    ["4294967297", "2", true],
    ["2147483648", "1", true],
    ["9%", "10%", true],
    ["10%", "10%", false],
    ["5", "10%", true],
    ["1000", "1%", true],
    ["99999999999999999999", "1", true],
  ])("%s, floor %s: %s", (nodes, floor, expected) => {
    expect(isBelowFloor(nodes, floor)).toBe(expected);
  });

  test("agrees with a pool of each size", () => {
    const count = fc.integer({ min: 0, max: 12 }).map(String);
    const percent = fc.integer({ min: 0, max: 100 }).map((share) => `${share}%`);
    fc.assert(
      fc.property(fc.oneof(count, percent), fc.oneof(count, percent), (nodes, floor) => {
        fc.pre(Number.parseInt(floor, 10) > 0);
        // Above 1,300 nodes 1 % exceeds each of these numbers.
        const sizes = Array.from({ length: 1300 }, (_, index) => index + 1);
        const somewhere = sizes.some(
          (total) => Number(budgetNodes(nodes, total)) < Math.min(Number(budgetNodes(floor, total)), total),
        );
        expect(isBelowFloor(nodes, floor)).toBe(somewhere);
      }),
      { numRuns: 500 },
    );
  });
});

describe("budgets with a floor", () => {
  test.each<[string, readonly Budget[] | undefined, string, readonly Budget[] | undefined]>([
    ["Karpenter's default, above it", undefined, "1", undefined],
    [
      "Karpenter's default, below it",
      undefined,
      "20%",
      [
        { nodes: "10%", reasons: OTHERS },
        { nodes: "20%", reasons: ["Drifted"] },
      ],
    ],
    ["none at all", [], "50%", undefined],
    ["for other reasons", [{ nodes: "0", reasons: ["Empty"] }], "1", undefined],
    ["for no reason", [{ nodes: "0", reasons: [] }], "1", undefined],
    [
      "for every reason",
      [{ nodes: "0" }],
      "1",
      [
        { nodes: "0", reasons: OTHERS },
        { nodes: "1", reasons: ["Drifted"] },
      ],
    ],
    [
      "for Drifted alone",
      [{ nodes: "10%" }, { nodes: "0", reasons: ["Drifted"] }],
      "1",
      [{ nodes: "10%" }, { nodes: "1", reasons: ["Drifted"] }],
    ],
    [
      "for Drifted among others",
      [{ nodes: "0", reasons: ["Drifted", "Empty"] }],
      "1",
      [
        { nodes: "0", reasons: ["Empty"] },
        { nodes: "1", reasons: ["Drifted"] },
      ],
    ],
    [
      "in a window",
      [{ nodes: "0", ...DAY }],
      "1",
      [
        { nodes: "0", reasons: OTHERS, ...DAY },
        { nodes: "1", reasons: ["Drifted"], ...DAY },
      ],
    ],
    [
      "in two windows, one of them twice",
      [
        { nodes: "0", ...DAY },
        { nodes: "0", ...NIGHT, reasons: ["Drifted"] },
        { nodes: "0%", ...DAY, reasons: ["Drifted"] },
      ],
      "1",
      [
        { nodes: "0", reasons: OTHERS, ...DAY },
        { nodes: "1", reasons: ["Drifted"], ...DAY },
        { nodes: "1", reasons: ["Drifted"], ...NIGHT },
      ],
    ],
    [
      "in a window and always",
      [{ nodes: "0", ...DAY }, { nodes: "0" }],
      "1",
      [
        { nodes: "0", reasons: OTHERS, ...DAY },
        { nodes: "0", reasons: OTHERS },
        { nodes: "1", reasons: ["Drifted"] },
      ],
    ],
    [
      "with a schedule that Karpenter cannot read",
      [{ nodes: "50%", reasons: ["Empty"], schedule: "0 9 * * 7", duration: "8h" }],
      "1",
      [
        { nodes: "0", reasons: OTHERS },
        { nodes: "1", reasons: ["Drifted"] },
      ],
    ],
    [
      "with a number that Karpenter cannot read",
      [{ nodes: "99999999999999999999", ...DAY }],
      "1",
      [
        { nodes: "0", reasons: OTHERS, ...DAY },
        { nodes: "1", reasons: ["Drifted"], ...DAY },
      ],
    ],
    [
      "with a duration that is refused anyway",
      [{ nodes: "0", schedule: "@daily", duration: "99999999999999h" }],
      "1",
      undefined,
    ],
  ])("%s", (_, budgets, floor, expected) => {
    expect(after(budgets, floor)).toStrictEqual(expected);
  });

  test("the reasons are those of the profile", () => {
    const { budgets = [] } = withDriftedFloor([{ nodes: "0" }], "1", "karpenter-1.15") ?? {};
    expect(budgets[0]?.budget.reasons).toStrictEqual(["Underutilized", "Empty", "Unhealthy"]);
  });

  const windows = (count: number): Budget[] =>
    Array.from({ length: count }, (_, hour) => ({ nodes: "0", schedule: `${hour} 3 * * *`, duration: "1h" }));

  test("with too many windows the floor applies at all times", () => {
    const budgets = after(windows(30), "1");
    expect(budgets).toHaveLength(31);
    expect(budgets?.at(-1)).toStrictEqual({ nodes: "1", reasons: ["Drifted"] });
  });

  test("without room no budget restricts drift", () => {
    const floored = withDriftedFloor(windows(50), "1", "hypershift");
    expect(floored?.full).toBe(true);
    expect(floored?.budgets).toHaveLength(50);
    expect(floored?.budgets.flatMap(({ budget }) => budget.reasons)).not.toContain("Drifted");
  });
});

const when = fc.oneof(
  fc.constant({}),
  fc.constantFrom(
    DAY,
    NIGHT,
    { schedule: "@every 10m", duration: "1h" },
    { schedule: "0 0 * * *", duration: "24h" },
    { schedule: "30 4 1 * *", duration: "0m" },
    { schedule: "0 9 * * 7", duration: "8h" },
    { schedule: ", * * * *", duration: "1h" },
  ),
);

const nodes = fc.oneof(
  fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
  fc.integer({ min: 0, max: 60 }).map(String),
  fc.constantFrom("0", "0%", "4294967296", "2147483648", "99999999999999999999"),
);

const reason = fc.constantFrom("Underutilized", "Empty", "Drifted");

const budget: fc.Arbitrary<Budget> = fc
  .record({
    nodes: fc.option(nodes, { nil: undefined }),
    reasons: fc.option(fc.uniqueArray(reason, { maxLength: 3 }), { nil: undefined }),
    times: when,
  })
  .map(({ times, ...rest }) => ({ ...rest, ...times }));

const floor = fc.oneof(
  fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
  fc.integer({ min: 1, max: 40 }).map(String),
);

const MONDAY = Date.parse("2026-11-23T00:00:00Z");
const LARGEST = 250;

/** A budget cannot allow more nodes than exist, and a number that wrapped allows none. */
const effective = (allowed: number, total: number): number => Math.max(0, Math.min(allowed, total));

describe("what Karpenter then allows, at any moment and for any number of nodes", () => {
  test.each(PROFILES)("%s: Drifted at least the floor and no more than both say, the others as before", (profile) => {
    fc.assert(
      fc.property(
        fc.array(budget, { maxLength: 8 }),
        floor,
        fc.nat({ max: LARGEST }),
        fc.nat({ max: 14 * 24 * 60 }),
        (given, least, total, minutes) => {
          const floored = withDriftedFloor(given, least, profile);
          const at = MONDAY + minutes * 60_000;
          const before = given.map(readBudget);
          const now = (floored?.budgets.map((one) => one.budget) ?? given).map(readBudget);
          for (const one of disruptionReasons(profile)) {
            const was = allowedDisruptions(before, one, total, at).nodes;
            const is = allowedDisruptions(now, one, total, at);
            if (one !== "Drifted") {
              expect(Math.max(0, is.nodes)).toBe(Math.max(0, was));
              continue;
            }
            const wanted = effective(Number(budgetNodes(least, total)), total);
            expect(effective(is.nodes, total)).toBeGreaterThanOrEqual(wanted);
            expect(effective(is.nodes, total)).toBeLessThanOrEqual(Math.max(effective(was, total), wanted));
            expect(is.errors).toStrictEqual([]);
          }
          expect(now.length).toBeLessThanOrEqual(50);
          // Budgets that keep the floor are unchanged.
          expect(withDriftedFloor(floored?.budgets.map((one) => one.budget) ?? given, least, profile)).toBeUndefined();
        },
      ),
      { numRuns: 1500, seed: 20_261_123 },
    );
  });

  test("of full lists, too: never below the floor, and the others as before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(budget, fc.nat({ max: 59 }), fc.nat({ max: 23 })), { minLength: 44, maxLength: 50 }),
        floor,
        fc.nat({ max: LARGEST }),
        fc.nat({ max: 24 * 60 }),
        (list, least, total, minutes) => {
          const given = list.map(([one, minute, hour]) => ({
            ...one,
            schedule: `${minute} ${hour} * * *`,
            duration: "3h",
          }));
          const floored = withDriftedFloor(given, least, "hypershift");
          const now = (floored?.budgets.map((one) => one.budget) ?? given).map(readBudget);
          const before = given.map(readBudget);
          const at = MONDAY + minutes * 60_000;
          expect(now.length).toBeLessThanOrEqual(50);
          for (const one of disruptionReasons("hypershift")) {
            const is = allowedDisruptions(now, one, total, at).nodes;
            const was = allowedDisruptions(before, one, total, at).nodes;
            if (one !== "Drifted") expect(Math.max(0, is)).toBe(Math.max(0, was));
            else
              expect(effective(is, total)).toBeGreaterThanOrEqual(effective(Number(budgetNodes(least, total)), total));
          }
        },
      ),
      { numRuns: 200, seed: 20_261_123 },
    );
  });
});
