/** Compares anp's plans with what Karpenter's own tests of its scheduler give to it and get from it. */
import { expect, test } from "vitest";
import { differenceOf } from "../../support/karpenter-tables/compare-round.ts";
import { LEFT_OUT, placeOf } from "../../support/karpenter-tables/left-out.ts";
import { planRound } from "../../support/karpenter-tables/plan-round.ts";
import { readRounds } from "../../support/karpenter-tables/read-rounds.ts";
import { recordedTables } from "../../support/karpenter-tables/record.ts";
import type { Round } from "../../support/karpenter-tables/round.ts";

/** Of Karpenter 1.15.0: those that run its scheduler, and how often they do. */
const SPECS = 533;
const ROUNDS = 775;

test("plans are what Karpenter's own tests get from its scheduler", async () => {
  const specs = new Set<string>();
  const leftOut = new Map(LEFT_OUT.map(({ why }) => [why, new Set<string>()]));
  const differences: string[] = [];
  const differing = new Set<string>();
  const sums = { rounds: 0, compared: 0, nodeClaims: 0, onNodes: 0, unplaced: 0 };
  for await (const round of readRounds<Round>(await recordedTables("scheduler"))) {
    const place = placeOf(round);
    specs.add(place);
    sums.rounds++;
    const reason = LEFT_OUT.find(({ isSo }) => isSo(round));
    if (reason !== undefined) leftOut.get(reason.why)!.add(place);
    if (reason !== undefined && reason.isByPlace !== true) continue;
    const difference = compared(round);
    if (reason === undefined) add(sums, round);
    if (difference === undefined) continue;
    if (reason === undefined) differences.push(`${place} ${round.spec}\n${difference}`);
    else differing.add(place);
  }
  const counts = LEFT_OUT.map(({ why }) => ({ why, specs: leftOut.get(why)!.size }));
  console.log(`Karpenter's tables: ${JSON.stringify({ specs: specs.size, ...sums, leftOut: counts })}`);
  expect(differences).toStrictEqual([]);
  expect(counts).toStrictEqual(LEFT_OUT.map(({ why, specs: some }) => ({ why, specs: some })));
  // A spec is left out by its place only while it differs.
  const byPlace = LEFT_OUT.filter(({ isByPlace }) => isByPlace).flatMap(({ why }) => [...leftOut.get(why)!]);
  expect([...differing].toSorted()).toStrictEqual(byPlace.toSorted());
  expect({ specs: specs.size, rounds: sums.rounds }).toStrictEqual({ specs: SPECS, rounds: ROUNDS });
}, 1_200_000);

function compared(round: Round): string | undefined {
  try {
    return differenceOf(round, planRound(round));
  } catch (error) {
    return `anp: ${(error as Error).stack}`;
  }
}

function add(
  sums: { compared: number; nodeClaims: number; onNodes: number; unplaced: number },
  { outcome }: Round,
): void {
  sums.compared++;
  sums.nodeClaims += outcome?.nodeClaims.length ?? 0;
  sums.onNodes += outcome?.existing.length ?? 0;
  sums.unplaced += Object.keys(outcome?.errors ?? {}).length;
}
