/** Compares how many drifted nodes of a static pool go at once with Karpenter's own code. */
import { expect, test } from "vitest";
import { roomOf } from "../../../src/analyze/running/node-lifetime.ts";
import { askProgram } from "../../support/go/ask-program.ts";

interface Answer {
  readonly replaced: number;
  readonly deletedFirst: number;
}

const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7];

const QUESTIONS = [1, 2, 5].flatMap((replicas) =>
  [undefined, ...NUMBERS].flatMap((limit) =>
    [0, 1, 3, 9].flatMap((budget) =>
      [false, true].map((terminatesFirst) => ({ op: "staticDrift", replicas, limit, budget, terminatesFirst })),
    ),
  ),
);

test("drift of static pools is Karpenter's, with and without TerminateFirstDrift", async () => {
  const answers = await askProgram<Answer>("oracle-scheduler", QUESTIONS);
  const ours = QUESTIONS.map(({ replicas, limit: nodes, budget, terminatesFirst }): Answer => {
    const limit = nodes === undefined ? undefined : ({ nodes, mode: "Soft" } as const);
    const room = roomOf({ limit, replicas, terminatesFirst }, replicas);
    const count = Math.max(0, Math.min(budget, replicas, room ?? Infinity));
    const isDeletedFirst = terminatesFirst && nodes !== undefined && nodes <= replicas;
    return {
      replaced: isDeletedFirst ? 0 : count,
      deletedFirst: isDeletedFirst ? count : 0,
    };
  });
  expect(answers).toStrictEqual(ours);
  // Both ways occur, and nodes that wait.
  expect(answers.filter(({ replaced }) => replaced > 0).length).toBeGreaterThan(20);
  expect(answers.filter(({ deletedFirst }) => deletedFirst > 0).length).toBeGreaterThan(20);
});
