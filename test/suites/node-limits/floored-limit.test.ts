/** A Hard limit with a floor for Drifted: budgets are appended, found and removed, and Karpenter allows as many nodes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { karpenterOptions } from "../../../src/model/settings/karpenter-options.ts";
import { disruptionAt } from "../../../src/analyze/simulate/timeline.ts";
import { nodesOf } from "../../../src/analyze/simulate/pool-nodes.ts";
import type { SimulatedPool } from "../../../src/analyze/simulate/pools.ts";
import { limitBudget } from "../../../src/cluster/limits/limited-pools.ts";
import {
  APPENDED_ANNOTATION,
  appendedTo,
  withAppended,
  withoutAppended,
} from "../../../src/cluster/objects/appended-budget.ts";
import {
  allowedDisruptions,
  type Budget,
  budgetNodes,
  type ReadBudget,
  readBudget,
} from "../../../src/karpenter/disruption/disruption-budget.ts";
import { withDriftedFloor } from "../../../src/karpenter/disruption/drifted-floor.ts";
import type { DisruptionReason } from "../../../src/model/pools/disruption-reasons.ts";
import type { KubeObject } from "../../../src/model/objects/kube-object.ts";

const pool = (budgets?: readonly Budget[]): KubeObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web", annotations: { kept: "yes" } },
  spec: budgets === undefined ? {} : { disruption: { consolidateAfter: "1m", budgets } },
});

const budgetsOf = (object: KubeObject | undefined): readonly Budget[] =>
  (object?.spec["disruption"] as { budgets: readonly Budget[] } | undefined)?.budgets ?? [];

describe("appended budgets", () => {
  const OWN = { nodes: "50%" };
  const JOINT = (nodes: string) => ({ nodes, reasons: ["Drifted", "Underutilized"] });
  const APART = (nodes: string, floor: string) => [
    { nodes, reasons: ["Underutilized"] },
    { nodes: floor, reasons: ["Drifted"] },
  ];
  test.each<[number, string | undefined, readonly unknown[], string]>([
    [0, undefined, [JOINT("0")], "0"],
    [0, "1", APART("0", "1"), "0,1"],
    [1, "1", [JOINT("1")], "1"],
    [1, "2", APART("1", "2"), "1,2"],
    [3, "10%", APART("3", "10%"), "3,10%"],
  ])("room for %s, floor %s", (nodes, floor, expected, mark) => {
    const appended = withAppended(pool([OWN]), nodes, floor);
    expect(budgetsOf(appended)).toStrictEqual([OWN, ...expected]);
    expect(appended?.metadata.annotations?.[APPENDED_ANNOTATION]).toBe(mark);
    expect(appendedTo(appended!)).toBe(nodes);
    expect(withoutAppended(appended!)).toStrictEqual(pool([OWN]));
  });

  test("two budgets need room for two", () => {
    const full = Array.from({ length: 49 }, () => OWN);
    expect(withAppended(pool(full), 0, "1")).toBeUndefined();
    expect(withAppended(pool(full), 1, "1")).toBeDefined();
  });

  test.each(["0,", "0,x", ",1", "-1", "1e3", "0,1,2", "99999999999999999"])("the mark %s is ignored", (mark) => {
    const marked = withAppended(pool([OWN]), 0, "1")!;
    const other = { ...marked, metadata: { ...marked.metadata, annotations: { [APPENDED_ANNOTATION]: mark } } };
    expect(appendedTo(other)).toBeUndefined();
    expect(budgetsOf(withoutAppended(other))).toHaveLength(3);
  });
});

const budget: fc.Arbitrary<Budget> = fc
  .record({
    nodes: fc.oneof(
      fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
      fc.integer({ min: 0, max: 30 }).map(String),
    ),
    reasons: fc.option(fc.subarray(["Empty", "Drifted", "Underutilized"]), { nil: undefined }),
    times: fc.constantFrom({}, {}, { schedule: "0 9 * * mon-fri", duration: "8h" }),
  })
  .map(({ times, ...rest }) => ({ ...rest, ...times }));

const situation = fc.record({
  own: fc.array(budget, { maxLength: 4 }),
  floor: fc.oneof(
    fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
    fc.integer({ min: 1, max: 20 }).map(String),
  ),
  limit: fc.nat({ max: 30 }),
  nodes: fc.nat({ max: 40 }),
  at: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
});

describe("with both, at any moment", () => {
  const allowed = (budgets: readonly ReadBudget[], reason: DisruptionReason, total: number, at: number) =>
    Math.max(0, Math.min(total, allowedDisruptions(budgets, reason, total, at).nodes));

  test("Drifted has its floor, Underutilized stays within the limit, and simulate shows no more", () => {
    fc.assert(
      fc.property(situation, ({ own, floor, limit, nodes, at }) => {
        const floored = withDriftedFloor(own, floor, "hypershift")?.budgets.map((one) => one.budget) ?? own;
        const budgets = floored.map(readBudget);
        const wanted = limitBudget({ budgets, limit, nodes });
        const object = wanted === undefined ? pool(floored) : withAppended(pool(floored), wanted, floor)!;
        const all = budgetsOf(object).map(readBudget);
        const least = Math.min(nodes, Number(budgetNodes(floor, nodes)));
        expect(allowed(all, "Drifted", nodes, at)).toBeGreaterThanOrEqual(least);
        expect(allowed(all, "Drifted", nodes, at)).toBeLessThanOrEqual(Math.max(least, limit - nodes));
        expect(allowed(all, "Underutilized", nodes, at)).toBeLessThanOrEqual(Math.max(0, limit - nodes));
        expect(allowed(all, "Empty", nodes, at)).toBe(allowed(budgets, "Empty", nodes, at));
        const simulated: SimulatedPool = {
          name: "web",
          hostedCluster: undefined,
          resource: undefined as never,
          profile: "hypershift",
          budgets,
          budgetPlaces: [],
          limit: { nodes: limit, mode: "Hard", driftedFloor: floor },
          replicas: undefined,
          group: undefined,
          statusNodes: undefined,
          karpenter: karpenterOptions("hypershift"),
          terminatesFirst: false,
          rules: undefined,
        };
        const drifted = disruptionAt(simulated, nodesOf(simulated, nodes, undefined), at).find(
          ({ reason }) => reason === "Drifted",
        );
        const promised = Math.min(nodes, drifted?.allowed ?? nodes);
        expect(promised).toBeGreaterThanOrEqual(least);
        expect(promised).toBeLessThanOrEqual(Math.max(least, limit - nodes));
      }),
      { numRuns: 3000, seed: 20_261_123 },
    );
  });
});
