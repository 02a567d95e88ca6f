/** Tests node limits of the RFC: launches, replacements and removals. */
import { describe, expect, it } from "vitest";
import { mayProvision, nodeLimitOf, roomToReplace, surplusOf, worstCase } from "./node-limit.ts";

const hard = nodeLimitOf({ nodes: 10 }, "Hard");
const soft = nodeLimitOf({ nodes: 10 }, "Soft");

describe("the limit", () => {
  it.each([
    [{ nodes: 10 }, 10],
    [{ nodes: "10" }, 10],
    [{ nodes: "1k" }, 1000],
    [{ nodes: "2500m" }, 3],
    [{ nodes: 0 }, 0],
  ])("%o is %i nodes", (limits, nodes) => {
    expect(nodeLimitOf(limits, "Hard")).toStrictEqual({ nodes, mode: "Hard" });
  });

  it("keeps large numbers exactly", () => {
    const written = "100000000000000000000000";
    const exact = BigInt(written);
    expect(nodeLimitOf({ nodes: written }, "Hard")).toStrictEqual({
      nodes: Number.MAX_SAFE_INTEGER,
      mode: "Hard",
      exact,
    });
  });

  it("is undefined without nodes among the limits", () => {
    expect(nodeLimitOf({ cpu: "10" }, "Hard")).toBeUndefined();
    expect(nodeLimitOf(undefined, "Hard")).toBeUndefined();
  });
});

describe("effect", () => {
  it.each([
    [0, true],
    [9, true],
    [10, false],
    [11, false],
  ])("with %i nodes a node may be launched: %s, in both modes", (active, may) => {
    expect(mayProvision(hard, active)).toBe(may);
    expect(mayProvision(soft, active)).toBe(may);
    expect(mayProvision(undefined, active)).toBe(true);
  });

  it("a Hard limit blocks replacements, a Soft limit does not", () => {
    const reasons = ["Drifted", "Underutilized", "Empty", "Unhealthy"] as const;
    expect(reasons.map((reason) => roomToReplace(hard, 9, reason))).toStrictEqual([1, 1, undefined, undefined]);
    expect(reasons.map((reason) => roomToReplace(hard, 12, reason))).toStrictEqual([-2, -2, undefined, undefined]);
    expect(reasons.map((reason) => roomToReplace(soft, 12, reason))).toStrictEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("nodes above a Hard limit are removed", () => {
    expect([9, 10, 13].map((active) => surplusOf(hard, active))).toStrictEqual([0, 0, 3]);
    expect([9, 10, 13].map((active) => surplusOf(soft, active))).toStrictEqual([0, 0, 0]);
  });

  it("Karpenter may launch a whole batch from one node below the limit", () => {
    const limit = { nodes: 10, mode: "Hard" } as const;
    expect([0, 9, 10, 12].map((active) => worstCase(limit, active, 6))).toStrictEqual([15, 15, 10, 12]);
  });
});
