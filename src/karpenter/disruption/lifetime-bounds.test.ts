/** Tests how long nodes may live, in a table of pools. */
import { describe, expect, it } from "vitest";
import type { Budget } from "./disruption-budget.ts";
import { goesAtSomeTime, longestLifetime, lifetimeBounds } from "./lifetime-bounds.ts";

const HOUR = 3_600_000;

describe("drifted nodes are replaced", () => {
  it.each<[string, readonly Budget[] | undefined, "always" | "sometimes" | "never"]>([
    ["without budgets", undefined, "always"],
    ["with no budget", [], "always"],
    ["one at a time", [{ nodes: "1" }], "always"],
    ["none", [{ nodes: "0" }], "never"],
    ["none, in percent", [{ nodes: "0%" }], "never"],
    ["none for drift", [{ nodes: "0", reasons: ["Drifted"] }, { nodes: "10%" }], "never"],
    ["none for other reasons", [{ nodes: "0", reasons: ["Empty", "Underutilized"] }], "always"],
    ["none for an empty list of reasons", [{ nodes: "0", reasons: [] }], "always"],
    ["none by day", [{ nodes: "0", schedule: "0 8 * * *", duration: "12h" }], "sometimes"],
    ["none by a schedule that is always active", [{ nodes: "0", schedule: "@daily", duration: "24h" }], "never"],
    ["none by a schedule that never is", [{ nodes: "0", schedule: "@daily", duration: "0m" }], "always"],
    [
      "none by day and none by night",
      [
        { nodes: "0", schedule: "0 8 * * *", duration: "12h" },
        { nodes: "0", schedule: "0 20 * * *", duration: "12h" },
      ],
      "never",
    ],
    [
      "none by day and none by night, but for an hour",
      [
        { nodes: "0", schedule: "0 8 * * *", duration: "12h" },
        { nodes: "0", schedule: "0 20 * * *", duration: "11h" },
      ],
      "sometimes",
    ],
    [
      "none on weekdays and none at weekends",
      [
        { nodes: "0", schedule: "0 0 * * mon-fri", duration: "24h" },
        { nodes: "0", schedule: "0 0 * * sat,sun", duration: "24h" },
      ],
      "never",
    ],
    // Karpenter then disrupts no node.
    ["an invalid schedule", [{ nodes: "5", schedule: "every day", duration: "1h" }], "never"],
  ])("%s", (_what, budgets, drift) => {
    expect(lifetimeBounds({ budgets }).drift).toBe(drift);
  });
});

it.each([
  [{}, 720 * HOUR, undefined],
  [{ expireAfter: "Never" }, undefined, undefined],
  [{ expireAfter: "24h", terminationGracePeriod: "1h" }, 24 * HOUR, 25 * HOUR],
  [{ expireAfter: "Never", terminationGracePeriod: "1h" }, undefined, undefined],
  [{ expireAfter: "0s", terminationGracePeriod: "0s" }, 0, 0],
  [{ expireAfter: "24h", terminationGracePeriod: "1h", hasDrainEnd: true }, 24 * HOUR, undefined],
])("%o", (pool, expiry, longest) => {
  expect([lifetimeBounds(pool).expiry, longestLifetime(lifetimeBounds(pool))]).toStrictEqual([expiry, longest]);
});

it("a node lives forever only if it neither drifts nor expires", () => {
  const closed: readonly Budget[] = [{ nodes: "0" }];
  const goes = (pool: Parameters<typeof lifetimeBounds>[0]) => goesAtSomeTime(lifetimeBounds(pool));
  expect(goes({ expireAfter: "Never", budgets: closed })).toBe(false);
  expect(goes({ budgets: closed })).toBe(true);
  expect(goes({ expireAfter: "Never" })).toBe(true);
});
