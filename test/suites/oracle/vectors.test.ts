/** Compares every vector of vectors.ts with each Karpenter version. */
import { beforeAll, describe, expect, test } from "vitest";
import { askOracle, type Reply } from "../../support/oracle/ask.ts";
import { ourAnswer } from "../../support/oracle/our-answer.ts";
import { vectorsOf } from "../../support/oracle/vectors.ts";

describe.each(["1.14", "1.15"] as const)("Karpenter %s:", (karpenter) => {
  const vectors = vectorsOf(karpenter);
  const replies = new Map<object, Reply>();

  beforeAll(async () => {
    const questions = vectors.flatMap(({ cases }) => cases.map(({ question }) => question));
    const answered = await askOracle(questions, karpenter);
    for (const [index, question] of questions.entries()) replies.set(question, answered[index]!);
  }, 600_000);

  test.each(vectors)("our answer to vector $number: $what", ({ cases }) => {
    for (const { question, answer } of cases) expect(ourAnswer(question, karpenter)).toMatchObject(answer);
  });

  test.each(vectors)("its answer to vector $number: $what", ({ cases }) => {
    for (const { question, answer } of cases) expect(replies.get(question)).toMatchObject({ answer });
  });
});
