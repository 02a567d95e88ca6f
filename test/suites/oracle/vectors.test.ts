/** Every question of vectors.ts, asked of Karpenter v1.14.1 and of us. */
import { beforeAll, describe, expect, test } from "vitest";
import { minValuesOf } from "../../../src/karpenter/requirements/min-values.ts";
import { requirementsOf } from "../../../src/karpenter/requirements/requirements.ts";
import { askOracle, type Reply } from "../../support/oracle/ask.ts";
import { ourAnswer } from "../../support/oracle/our-answer.ts";
import { VECTORS } from "../../support/oracle/vectors.ts";

describe("our answer to", () => {
  test.each(VECTORS)("vector $number: $what", ({ cases }) => {
    for (const { question, answer } of cases) expect(ourAnswer(question)).toMatchObject(answer);
  });

  test("vector 69, as of 1.15: only values that the requirement allows are counted", () => {
    const requirements = requirementsOf([{ key: "zone", operator: "In", values: ["a"], minValues: 2 }]);
    const { needed, shortfall } = minValuesOf([() => ["a", "b"]], requirements, true);
    expect([needed, [...shortfall]]).toStrictEqual([1, [["zone", 1]]]);
  });
});

describe("Karpenter's answer to", () => {
  const replies = new Map<object, Reply>();

  beforeAll(async () => {
    const questions = VECTORS.flatMap(({ cases }) => cases.map(({ question }) => question));
    const answered = await askOracle(questions);
    for (const [index, question] of questions.entries()) replies.set(question, answered[index]!);
  }, 600_000);

  test.each(VECTORS)("vector $number: $what", ({ cases }) => {
    for (const { question, answer } of cases) expect(replies.get(question)).toMatchObject({ answer });
  });
});
