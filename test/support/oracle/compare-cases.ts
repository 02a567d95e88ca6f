/** Compares answers of Karpenter and anp to random questions with a seed. */
import fc from "fast-check";
import type { KarpenterVersion } from "../go/programs.ts";
import { askOracle, type Reply } from "./ask.ts";
import { type Difference, differenceOf } from "./difference.ts";
import type { Operation, Question } from "./question.ts";
import { question } from "./questions.ts";

interface Tally {
  readonly cases: number;
  /** Counts errors and unsatisfiable requirements, so that a run covers both. */
  readonly negative: number;
  /** Karpenter panicked, as it does on a comparison without a value. */
  readonly panics: number;
}

export interface Comparison {
  readonly counts: Readonly<Record<Operation, Tally>>;
  /** The two simplest of each operation. */
  readonly differences: readonly Difference[];
}

export async function compareCases(
  numRuns: number,
  seed: number,
  karpenter: KarpenterVersion = "1.14",
): Promise<Comparison> {
  const questions = fc.sample(question, { numRuns, seed });
  const replies = await askOracle(questions, karpenter);
  const differences = questions
    .map((asked, index) => differenceOf(asked, replies[index]!, karpenter))
    .filter(isDefined);
  return { counts: countsOf(questions, replies), differences: simplest(differences) };
}

function countsOf(questions: readonly Question[], replies: readonly Reply[]): Record<Operation, Tally> {
  const counts = {} as Record<Operation, Tally>;
  for (const [index, { op }] of questions.entries()) {
    const reply = replies[index]!;
    const { cases, negative, panics } = counts[op] ?? { cases: 0, negative: 0, panics: 0 };
    counts[op] = {
      cases: cases + 1,
      negative: negative + Number(isNegative(op, reply.answer)),
      panics: panics + Number(reply.panic !== undefined),
    };
  }
  return counts;
}

function isNegative(op: Operation, answer: unknown): boolean {
  if (op === "has") return (answer as boolean[] | undefined)?.includes(false) ?? false;
  if (op === "merge" || op === "intersection") return JSON.stringify(answer ?? "").includes(" DoesNotExist");
  return ((answer as { error: string | null } | undefined)?.error ?? null) !== null;
}

function simplest(differences: readonly Difference[]): Difference[] {
  const length = ({ question }: Difference): number => JSON.stringify(question).length;
  const byOperation = Map.groupBy(differences, ({ question }) => question.op);
  return [...byOperation.values()].flatMap((some) => some.toSorted((a, b) => length(a) - length(b)).slice(0, 2));
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
