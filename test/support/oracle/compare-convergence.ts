/** Compares our convergence times of pools with Karpenter's own code, stepped through time. */
import fc from "fast-check";
import { runningPoolOf } from "../../../src/analyze/diff/changed-pools.ts";
import { readNodeData } from "../../../src/analyze/nodes/node-data.ts";
import { type Convergence, convergenceOf } from "../../../src/analyze/running/convergence.ts";
import { parseGoMilliseconds } from "../../../src/model/values/go-duration.ts";
import { askOracle } from "./ask.ts";
import { type SettleQuestion, settleQuestion } from "./convergence-questions.ts";

interface Answer {
  /** When each node is removed; null if not within the simulated time. */
  readonly ends: readonly (string | null)[];
  /** Whether drift could remove the node at any time while it existed. */
  readonly everAllowed: readonly boolean[];
}

interface Worlds {
  /** Best case: pods leave at once, and the longest-living node is replaced first. */
  readonly best: Answer;
  /** Random: pods leave at any time, and replacements take time. */
  readonly random: Answer;
  /** Worst case: nothing is replaced, and pods never leave. */
  readonly stuck: Answer;
}

const WORLDS = ["best", "random", "stuck"] as const;

export async function compareConvergence(
  count: number,
  seed: number,
): Promise<{ readonly counts: Record<string, number>; readonly wrong: readonly unknown[] }> {
  const questions = fc.sample(settleQuestion, { numRuns: count, seed });
  const asked = questions.flatMap((question, index) =>
    WORLDS.map((world) => ({ op: "settle", world, seed: seed + index, ...question })),
  );
  const replies = await askOracle(asked);
  const counts: Record<string, number> = { by: 0, open: 0, never: 0, done: 0, windows: 0 };
  const wrong = questions.flatMap((question, index) => {
    const answer = (world: number) => replies[WORLDS.length * index + world]!.answer as Answer;
    const worlds = { best: answer(0), random: answer(1), stuck: answer(2) };
    const ours = oursOf(question);
    counts[ours.until]! += 1;
    if (endOf(worlds.best) !== undefined) counts["done"]! += 1;
    if (JSON.stringify(question.pool).includes("schedule")) counts["windows"]! += 1;
    const differences = differencesOf(question, ours, worlds);
    return differences.length === 0 ? [] : [{ differences, question, ours, worlds }];
  });
  return { counts, wrong };
}

function oursOf({ pool, nodes, at, nodeTime }: SettleQuestion): Convergence {
  const objects = nodes.flatMap(({ claim, node, pods }) => [claim, node, ...pods]);
  const lives = readNodeData(
    objects.map((value) => {
      const { apiVersion, kind, metadata } = value as { apiVersion: string; kind: string; metadata: { name: string } };
      return { apiVersion, kind, name: metadata.name, value };
    }),
  ).map(({ life }) => life);
  const side = { object: pool as never, placeOf: () => undefined };
  const moment = { at: Date.parse(at), nodeTime: parseGoMilliseconds(nodeTime)! };
  return convergenceOf(runningPoolOf(side), { all: lives, affected: lives, sure: true }, moment);
}

function endOf({ ends }: Answer): number | undefined {
  const moments = ends.map((end) => (end === null ? Infinity : Date.parse(end)));
  const last = Math.max(...moments);
  return last === Infinity ? undefined : last;
}

function differencesOf(question: SettleQuestion, ours: Convergence, { best, random, stuck }: Worlds): string[] {
  const { until, earliest = -Infinity, latest = Infinity } = ours;
  const looked = Date.parse(question.until);
  const isStatic = "replicas" in (question.pool["spec"] as object);
  const [atBest, atRandom, atWorst] = [best, random, stuck].map(endOf);
  const stays = question.nodes.some(({ claim }, index) => {
    const { expireAfter } = claim["spec"] as { expireAfter: string };
    return expireAfter === "Never" && best.everAllowed[index] === false;
  });
  const checks: [string, boolean][] = [
    ["never is what stays for ever", (until === "never") === stays],
    ["what never settles does not end", until !== "never" || atBest === undefined],
    ["nothing is earlier than the earliest", (atBest ?? Infinity) >= earliest],
    // Static pools are replaced in waves; each waits for the previous one.
    ["the earliest is reached", isStatic || until === "never" || earliest > looked || atBest === earliest],
    ["no world is earlier", (atRandom ?? Infinity) >= earliest],
    ["no world is later", until !== "by" || latest > looked || (atRandom ?? Infinity) <= latest],
    ["the latest is reached", until !== "by" || latest > looked || atWorst === latest],
    ["an unbounded pool does not converge without drift", until === "by" || atWorst === undefined],
  ];
  return checks.flatMap(([what, holds]) => (holds ? [] : [what]));
}
