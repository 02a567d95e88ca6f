/** Compares the number of allowed disruptions with Karpenter's, on random budgets at random times. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedDisruptions, readBudget, UNLIMITED } from "../../../src/karpenter/disruption/disruption-budget.ts";
import { seedOf } from "../../support/property/seed.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { type BudgetQuestion, budgetQuestion } from "../../support/oracle/budget-questions.ts";

const QUESTIONS = 12_000;

interface Answer {
  readonly allowed: number;
  readonly error: string;
}

describe("disruption budgets", () => {
  test("random budgets allow at random times what Karpenter allows, with the same errors", async () => {
    const seed = seedOf("budgets", 20_261_121);
    const questions = fc.sample(budgetQuestion, { numRuns: QUESTIONS, seed });
    const replies = await askOracle(questions);
    const counts = { errors: 0, nothing: 0, some: 0, unlimited: 0 };
    const wrong: unknown[] = [];
    for (const [index, question] of questions.entries()) {
      const theirs = replies[index]!.answer as Answer;
      if (!agrees(question, theirs)) wrong.push({ question, theirs, ours: ours(question) });
      if (theirs.error !== "") counts.errors += 1;
      else if (theirs.allowed === UNLIMITED) counts.unlimited += 1;
      else counts[theirs.allowed <= 0 ? "nothing" : "some"] += 1;
    }
    console.log(`budgets: ${QUESTIONS} questions, ${JSON.stringify(counts)}, ${wrong.length} answered differently`);
    expect(wrong.slice(0, 3)).toStrictEqual([]);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(QUESTIONS / 25);
  }, 900_000);

  test("a schedule without hits blocks its nodes, for any duration", async () => {
    const cases = [
      ["0 0 29 2 *", "2096-02-28T23:59:59.999Z", UNLIMITED],
      ["0 0 29 2 *", "2096-02-29T00:00:00.000Z", 0],
      ["0 0 29 2 *", "2098-12-31T23:59:58.999Z", 0],
      ["0 0 29 2 *", "2098-12-31T23:59:59.000Z", UNLIMITED],
      ["0 0 30 2 *", "2026-01-01T00:00:00.000Z", 0],
      ["0 0 1 1 *", "2026-01-01T00:00:00.000Z", UNLIMITED],
    ] as const;
    const questions = cases.map(([schedule, at]): BudgetQuestion => {
      return { op: "budget", budgets: [{ nodes: "0", schedule, duration: "0m" }], reason: "Drifted", nodes: 5, at };
    });
    const replies = await askOracle(questions);
    expect(replies.map(({ answer }) => (answer as Answer).allowed)).toStrictEqual(cases.map(([, , nodes]) => nodes));
    expect(questions.map((question) => ours(question).nodes)).toStrictEqual(cases.map(([, , nodes]) => nodes));
  });
});

function ours({ budgets, reason, nodes, at }: BudgetQuestion) {
  return allowedDisruptions(budgets.map(readBudget), reason, nodes, Date.parse(at));
}

/** Karpenter wraps errors of its libraries, and joins several into one string. */
function agrees(question: BudgetQuestion, { allowed, error }: Answer): boolean {
  const { nodes, errors } = ours(question);
  return nodes === allowed && (errors.length === 0) === (error === "") && errors.every((text) => error.includes(text));
}
