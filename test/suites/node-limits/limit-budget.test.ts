/** The budget near a Hard limit: never looser than the pool's own, and never above the room of the limit. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitBudget } from "../../../src/cluster/limits/limited-pools.ts";
import {
  DEFAULT_BUDGETS,
  type DisruptionReason,
  REPLACING_REASONS,
} from "../../../src/model/pools/disruption-reasons.ts";
import { allowedDisruptions, type Budget, readBudget } from "../../../src/karpenter/disruption/disruption-budget.ts";

const budgetFor = (budgets: readonly Budget[], limit: number, nodes: number) =>
  limitBudget({ budgets: budgets.map(readBudget), limit, nodes });

const DAYTIME = { schedule: "0 9 * * mon-fri", duration: "8h" };
const ROUND_THE_CLOCK = { schedule: "0 0 * * *", duration: "24h" };

describe("the budget to append", () => {
  test.each<[string, readonly Budget[], number, number, number | undefined]>([
    ["default, far from it", DEFAULT_BUDGETS, 10, 5, undefined],
    ["default, one place left: one at a time fits", DEFAULT_BUDGETS, 10, 9, undefined],
    ["default, at the limit", DEFAULT_BUDGETS, 10, 10, 0],
    ["default, above a limit that was lowered", DEFAULT_BUDGETS, 10, 14, 0],
    ["default of a large pool, which lets ten go", DEFAULT_BUDGETS, 100, 90, undefined],
    ["default of a large pool, with nine places", DEFAULT_BUDGETS, 100, 91, 9],
    ["default, rounded up", DEFAULT_BUDGETS, 11, 10, 1],
    ["no node", DEFAULT_BUDGETS, 10, 0, undefined],
    ["no node, and none allowed", DEFAULT_BUDGETS, 0, 0, undefined],
    ["none allowed, and one there", DEFAULT_BUDGETS, 0, 1, 0],
    ["everything at once, half full", [{ nodes: "100%" }], 10, 5, undefined],
    ["everything at once, more than half full", [{ nodes: "100%" }], 10, 6, 4],
    ["without any bound: no more than there are", [], 10, 5, undefined],
    ["without any bound, more than half full", [], 10, 6, 4],
    ["a number", [{ nodes: "3" }], 10, 7, undefined],
    ["a number that no longer fits", [{ nodes: "3" }], 10, 8, 2],
    ["stricter than the limit", [{ nodes: "0" }], 10, 10, undefined],
    ["stricter, and a looser one beside it", [{ nodes: "50%" }, { nodes: "0" }], 10, 10, undefined],
    ["for one of the two reasons only", [{ nodes: "0", reasons: ["Drifted"] }], 10, 8, 2],
    ["for both", [{ nodes: "0", reasons: ["Drifted", "Underutilized"] }], 10, 8, undefined],
    ["for a reason that needs no new node", [{ nodes: "0", reasons: ["Empty"] }], 10, 8, 2],
    ["for no reason at all", [{ nodes: "0", reasons: [] }], 10, 8, 2],
    ["in a window: it may end at any moment", [{ nodes: "0", ...DAYTIME }], 10, 8, 2],
    ["in a window, and the default", [...DEFAULT_BUDGETS, { nodes: "0", ...DAYTIME }], 10, 9, undefined],
    ["in a window without end", [{ nodes: "0", ...ROUND_THE_CLOCK }], 10, 10, undefined],
    [
      "with a schedule that Karpenter cannot read",
      [{ nodes: "5", schedule: "0 9 * * 7", duration: "8h" }],
      10,
      10,
      undefined,
    ],
    ["with a number that wraps to less than nothing", [{ nodes: "2147483648" }], 10, 10, undefined],
    ["with a number that wraps to nothing", [{ nodes: "4294967296" }], 10, 10, undefined],
  ])("%s", (_, budgets, limit, nodes, expected) => {
    expect(budgetFor(budgets, limit, nodes)).toBe(expected);
  });
});

const budget: fc.Arbitrary<Budget> = fc.record(
  {
    nodes: fc.oneof(
      fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
      fc.integer({ min: 0, max: 30 }).map(String),
    ),
    reasons: fc.option(fc.subarray(["Empty", "Drifted", "Underutilized"]), { nil: undefined }),
  },
  { requiredKeys: ["nodes"] },
);
const windowed = fc
  .tuple(budget, fc.constantFrom({}, {}, DAYTIME, ROUND_THE_CLOCK))
  .map(([one, times]) => ({ ...one, ...times }));
const pool = fc.record({
  budgets: fc.array(windowed, { maxLength: 4 }),
  limit: fc.nat({ max: 30 }),
  nodes: fc.nat({ max: 40 }),
  at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
});

/** The budgets as Karpenter reads them. */
function withOurs(budgets: readonly Budget[], nodes: number | undefined): Budget[] {
  return nodes === undefined ? [...budgets] : [...budgets, { nodes: String(nodes), reasons: REPLACING_REASONS }];
}

function allowed(budgets: readonly Budget[], reason: DisruptionReason, nodes: number, at: number): number {
  return allowedDisruptions(budgets.map(readBudget), reason, nodes, at).nodes;
}

describe("with the budget, at any moment", () => {
  test("no reason allows more than without it, and Empty exactly as much", () => {
    fc.assert(
      fc.property(pool, ({ budgets, limit, nodes, at }) => {
        const all = withOurs(budgets, budgetFor(budgets, limit, nodes));
        for (const reason of REPLACING_REASONS)
          expect(allowed(all, reason, nodes, at)).toBeLessThanOrEqual(allowed(budgets, reason, nodes, at));
        expect(allowed(all, "Empty", nodes, at)).toBe(allowed(budgets, "Empty", nodes, at));
      }),
    );
  });

  test("no more nodes may be replaced than the limit has room for", () => {
    fc.assert(
      fc.property(pool, ({ budgets, limit, nodes, at }) => {
        const all = withOurs(budgets, budgetFor(budgets, limit, nodes));
        for (const reason of REPLACING_REASONS) {
          const more = Math.min(nodes, allowed(all, reason, nodes, at));
          expect(nodes + more).toBeLessThanOrEqual(Math.max(limit, nodes));
        }
      }),
    );
  });

  /** As Karpenter (docs/upstream/karpenter.md#budgets): terminating nodes use up the budget until they are gone. */
  test("a rollout stays within the limit, however late a pass is", () => {
    const step = fc.constantFrom("replace", "replace", "gone", "pass");
    fc.assert(
      fc.property(pool, fc.array(step, { maxLength: 60 }), ({ budgets, limit, nodes: start, at }, steps) => {
        let [nodes, going] = [start, 0];
        let ours = budgetFor(budgets, limit, nodes);
        for (const what of steps) {
          if (what === "pass") ours = budgetFor(budgets, limit, nodes);
          else if (what === "gone" && going > 0) [nodes, going] = [nodes - 1, going - 1];
          else if (
            what === "replace" &&
            going < start &&
            allowed(withOurs(budgets, ours), "Drifted", nodes, at) > going
          )
            [nodes, going] = [nodes + 1, going + 1];
          expect(nodes).toBeLessThanOrEqual(Math.max(limit, start));
        }
      }),
    );
  });
});
