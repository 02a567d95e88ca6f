/** Compares which nodes anp says that Karpenter disrupts with what Karpenter's own tests of disruption get from it. */
import { expect, test } from "vitest";
import { placeOf } from "../../support/karpenter-tables/left-out.ts";
import { differenceOf } from "../../support/karpenter-tables/methods-of-round.ts";
import { readRounds } from "../../support/karpenter-tables/read-rounds.ts";
import { recordedTables } from "../../support/karpenter-tables/record.ts";
import type { MethodRound } from "../../support/karpenter-tables/round.ts";

/** Of Karpenter 1.15.0: those that run a method of its disruption controller, and how often they do. */
const SPECS = 166;
const RUNS = 284;

/** Which runs are not compared, why, and of how many specs they are. */
const LEFT_OUT: readonly {
  readonly why: string;
  readonly isSo: (round: MethodRound) => boolean;
  readonly specs: number;
}[] = [
  {
    why: "Karpenter's provider fails to say which types a pool has, which no dump shows",
    isSo: (round) => placeOf(round) === "disruption/terminatefirst_test.go:238",
    specs: 1,
  },
  {
    why: "the test changes the cluster while Karpenter waits before it carries out a command",
    isSo: ({ validates, commands }) => validates && commands.length === 0,
    specs: 9,
  },
];

test("methods decide what they decide in Karpenter's own tests of disruption", async () => {
  const specs = new Set<string>();
  const leftOut = LEFT_OUT.map(() => new Set<string>());
  const differences: string[] = [];
  const counts: Record<string, number> = {};
  let runs = 0;
  for await (const round of readRounds<MethodRound>(await recordedTables("disruption"))) {
    const place = placeOf(round);
    specs.add(place);
    runs++;
    const reason = LEFT_OUT.findIndex(({ isSo }) => isSo(round));
    if (reason !== -1) {
      leftOut[reason]!.add(place);
      continue;
    }
    const { method, commands } = round;
    for (const what of commands.length === 0 ? ["nothing"] : commands.map(({ decision }) => decision))
      counts[`${method}: ${what}`] = (counts[`${method}: ${what}`] ?? 0) + 1;
    const difference = compared(round);
    if (difference !== undefined) differences.push(`${place} ${method} ${round.spec}\n${difference}`);
  }
  console.log(`Karpenter's tables of disruption: ${JSON.stringify({ specs: specs.size, runs, ...counts })}`);
  expect(differences).toStrictEqual([]);
  expect(LEFT_OUT.map(({ why }, at) => [why, leftOut[at]!.size])).toStrictEqual(
    LEFT_OUT.map(({ why, specs: some }) => [why, some]),
  );
  expect({ specs: specs.size, runs }).toStrictEqual({ specs: SPECS, runs: RUNS });
}, 1_200_000);

function compared(round: MethodRound): string | undefined {
  try {
    return differenceOf(round);
  } catch (error) {
    return `anp: ${(error as Error).stack}`;
  }
}
