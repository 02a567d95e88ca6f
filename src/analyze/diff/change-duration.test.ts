/** The least time that replacing nodes takes under budgets. */
import { describe, expect, it } from "vitest";
import type { Budget } from "../../karpenter/disruption/budget-blocking.ts";
import { leastDuration } from "./change-duration.ts";

const at = { schedule: "0 9 * * mon-fri", duration: "8h" };

describe("replacing nodes takes at least", () => {
  it.each<[affected: number, total: number, budgets: Budget[], nodes: bigint | undefined]>([
    [0, 10, [{ nodes: "0" }], 0n],
    [10, 10, [{ nodes: "10%" }], 10n],
    [10, 11, [{}], 5n],
    [9, 9, [{ nodes: "4" }], 3n],
    [9, 9, [{ nodes: "100%" }], 1n],
    [9, 9, [], 1n],
    [9, 9, [{ nodes: "5" }, { nodes: "20%" }], 5n],
    // Only the budgets for drift count.
    [9, 9, [{ nodes: "1", reasons: ["Empty"] }], 1n],
    [9, 9, [{ nodes: "1", reasons: ["Empty", "Drifted"] }], 9n],
    [9, 9, [{ nodes: "0", reasons: [] }], 1n],
    [9, 9, [{ nodes: "0" }], undefined],
    [9, 9, [{ nodes: "0%" }], undefined],
    [9, 9, [{ nodes: "4294967296" }], undefined],
    [9, 9, [{ nodes: "99999999999999999999" }], undefined],
    // Of whatever reason, one that cannot be read holds all back.
    [9, 9, [{ nodes: "3" }, { nodes: "99999999999999999999", reasons: ["Empty"] }], undefined],
    // A lower bound: all may be done while the budget rests.
    [9, 9, [{ nodes: "0", ...at }, { nodes: "3" }], 3n],
    [9, 9, [{ nodes: "1", schedule: "* * * * *", duration: "1m" }], 9n],
    // Karpenter lets none go while a schedule cannot be read, whatever it is for.
    [9, 9, [{ nodes: "3" }, { nodes: "5", reasons: ["Empty"], schedule: "0 9 * * 7", duration: "8h" }], undefined],
  ])("%i of %i with %j: %s times one node", (affected, total, budgets, nodes) => {
    expect(leastDuration(affected, total, budgets, 300n)).toBe(nodes === undefined ? undefined : nodes * 300n);
  });
});
