/** The shortest time to replace nodes: budgets, windows, limits and expiry. */
import { describe, expect, it } from "vitest";
import { type Budget, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { type LeavingNode, rolloutOf } from "./rollout.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday. */
const AT = Date.UTC(2026, 10, 23, 7);
const OFFICE = { schedule: "0 9 * * mon-fri", duration: "8h" };

const drifted = (count: number, expires?: number): LeavingNode[] =>
  Array.from({ length: count }, () => ({ expires, drifts: true }));

function rolled(nodes: readonly LeavingNode[], counted: number, budgets: readonly Budget[], room?: number) {
  const { begins, ends, atOnce, steps } = rolloutOf(
    { budgets: budgets.map(readBudget), counted, room },
    nodes,
    AT,
    HOUR,
  );
  const since = (at: number | undefined) => (at === undefined ? undefined : (at - AT) / HOUR);
  return { begins: since(begins), ends: since(ends), atOnce, steps: steps.map(({ at, gone }) => [since(at), gone]) };
}

describe("replacing nodes takes at least", () => {
  it.each<[affected: number, total: number, budgets: Budget[], hours: number | undefined]>([
    [0, 10, [{ nodes: "0" }], 0],
    [10, 10, [{ nodes: "10%" }], 10],
    [10, 11, [{}], 5],
    [9, 9, [{ nodes: "4" }], 3],
    [9, 9, [{ nodes: "100%" }], 1],
    [9, 9, [], 1],
    [9, 9, [{ nodes: "5" }, { nodes: "20%" }], 5],
    // Only budgets for drift apply.
    [9, 9, [{ nodes: "1", reasons: ["Empty"] }], 1],
    [9, 9, [{ nodes: "1", reasons: ["Empty", "Drifted"] }], 9],
    [9, 9, [{ nodes: "0", reasons: [] }], 1],
    [9, 9, [{ nodes: "0" }], undefined],
    [9, 9, [{ nodes: "0%" }], undefined],
    [9, 9, [{ nodes: "4294967296" }], undefined],
    [9, 9, [{ nodes: "99999999999999999999" }], undefined],
    // An unreadable budget blocks all disruptions, for any reason.
    [9, 9, [{ nodes: "3" }, { nodes: "99999999999999999999", reasons: ["Empty"] }], undefined],
    // Two before the window closes for the day, which lets those that have begun be finished, and the rest after it.
    [9, 9, [{ nodes: "0", ...OFFICE }, { nodes: "1" }], 17],
    [9, 9, [{ nodes: "1", schedule: "* * * * *", duration: "1m" }], 9],
    // Karpenter disrupts no node if any schedule cannot be read.
    [9, 9, [{ nodes: "3" }, { nodes: "5", reasons: ["Empty"], schedule: "0 9 * * 7", duration: "8h" }], undefined],
  ])("%i of %i with %j: %s hours", (affected, total, budgets, hours) => {
    expect(rolled(drifted(affected), total, budgets).ends).toBe(hours);
  });

  it("waits for a window, and completes replacements that have begun", () => {
    const closed = { nodes: "0", schedule: "0 0 * * mon-fri", duration: "24h" };
    expect(rolled(drifted(3), 3, [closed, { nodes: "2" }])).toStrictEqual({
      begins: 113,
      ends: 115,
      atOnce: 2,
      steps: [
        [114, 2],
        [115, 3],
      ],
    });
  });

  it("has at most as many replacements at once as there is room for", () => {
    expect(rolled(drifted(4), 4, [{ nodes: "3" }], 1)).toMatchObject({ ends: 4, atOnce: 1 });
    expect(rolled(drifted(4), 4, [{ nodes: "3" }], 0)).toMatchObject({ begins: undefined, ends: undefined });
  });
});

describe("nodes that expire", () => {
  it("are replaced without a budget", () => {
    const nodes = [...drifted(1, AT + DAY), ...drifted(1, AT + 2 * DAY), ...drifted(1, AT - DAY)];
    expect(rolled(nodes, 3, [{ nodes: "0" }])).toStrictEqual({
      begins: 0,
      ends: 48,
      atOnce: 0,
      steps: [
        [0, 1],
        [24, 2],
        [48, 3],
      ],
    });
  });

  it("are replaced last, and are gone when they expire", () => {
    const nodes = [...drifted(1, AT + HOUR / 2), ...drifted(1, AT + 5 * HOUR), ...drifted(1)];
    expect(rolled(nodes, 3, [{ nodes: "1" }])).toMatchObject({ ends: 2 });
    expect(rolled(nodes.slice(0, 1), 1, [{ nodes: "1" }])).toMatchObject({ ends: 0.5 });
  });

  it("are the only ones replaced if drift is blocked", () => {
    const nodes: LeavingNode[] = [
      { expires: AT + DAY, drifts: false },
      { expires: undefined, drifts: true },
    ];
    expect(rolled(nodes, 2, [{ nodes: "1" }])).toMatchObject({ begins: 0, ends: 24 });
    expect(rolled([{ expires: undefined, drifts: false }], 1, [])).toMatchObject({
      begins: undefined,
      ends: undefined,
    });
  });
});
