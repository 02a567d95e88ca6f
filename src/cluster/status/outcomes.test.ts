/** What counts most in an object's state, and what each step action counts as. */
import { describe, expect, test } from "vitest";
import type { StepResult } from "../apply/execute.ts";
import { nothing, type Step, type StepAction } from "../plan/step.ts";
import { outcomesOfSteps } from "../../../test/support/cluster/steps-of.ts";
import { columnsOf, countsOf, shownState } from "./outcomes.ts";

const going = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web", uid: "u", resourceVersion: "1", deletionTimestamp: "2026-01-01T00:00:00Z" },
  spec: {},
} as unknown as NonNullable<Step["live"]>;
const error = { kind: "invalid", status: 422, reason: "Invalid", message: "no such field" } as const;
const differs = { differences: [{ field: "spec.weight", owner: undefined, how: "value" }] } as const;

const outcomeOf = (action: StepAction, outcome: StepResult["outcome"], step: Partial<Step> = {}, dryRun = false) => {
  const result = { step: { ...nothing("NodePool", "web"), action, ...step }, outcome };
  return outcomesOfSteps([outcome === "failed" ? { ...result, error } : result], dryRun)[0]!;
};

describe("the state of an object", () => {
  test.each<[string, string, ReturnType<typeof outcomeOf>]>([
    ["a failure before another writer", "failed", outcomeOf("update", "failed", { writerConflict: "x", live: going })],
    [
      "another writer before a deletion",
      "contested",
      outcomeOf("update", "done", { writerConflict: "x", live: going }),
    ],
    ["a deletion before a change", "going", outcomeOf("update", "done", { live: going })],
    ["a hold before a deletion", "hold", outcomeOf("hold", "none", { live: going })],
    [
      "no deletion of objects of others",
      "managed-by-operator",
      outcomeOf("managed-by-operator", "none", { live: going }),
    ],
    ["the operator's object that differs", "differs", outcomeOf("managed-by-operator", "none", differs)],
    ["a class that is still used", "used", outcomeOf("prune", "none")],
  ])("%s", (_, state, outcome) => {
    expect(shownState(outcome)).toBe(state);
  });

  test("a refusal by the cluster holds the pass, and any other failure fails it", () => {
    expect(outcomeOf("update", "failed").result).toBe("held");
    const failed = {
      step: { ...nothing("ValidatingAdmissionPolicy", "web"), action: "update" },
      outcome: "failed",
      error,
    };
    expect(outcomesOfSteps([failed as StepResult])[0]?.result).toBe("failed");
  });

  test("a dry run says what would change", () => {
    expect([outcomeOf("create", "done", {}, true).words, outcomeOf("hold", "none", {}, true).words]).toEqual([
      "would be created",
      "held",
    ]);
  });
});

test("changes are counted when they are made, and all else as planned", () => {
  const outcomes = [
    outcomeOf("create", "done"),
    outcomeOf("create", "skipped"),
    outcomeOf("in-sync", "skipped"),
    outcomeOf("update", "failed"),
    outcomeOf("prune", "none"),
  ];
  expect(countsOf(outcomes)).toMatchObject({ created: 1, inSync: 1, updated: 0, failed: 1, pruned: 0 });
  expect(columnsOf(outcomes)).toEqual({ inSync: 0, changed: 1, held: 1, foreign: 0, failed: 3 });
});
