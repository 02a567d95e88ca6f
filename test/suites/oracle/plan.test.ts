/** Compares the plans of random worlds with those of Karpenter's own provisioner. */
import { expect, test } from "vitest";
import { compareWorlds } from "../../support/plan-worlds/compare-worlds.ts";
import { seedOf } from "../../support/property/seed.ts";

const WORLDS = 300;

test("plans are those of Karpenter's scheduler", async () => {
  const { differences, counts, ...sums } = await compareWorlds(WORLDS, seedOf("plan", 20_261_127));
  console.log(`plan: ${JSON.stringify(sums)}, worlds by feature ${JSON.stringify(counts)}`);
  expect(differences).toStrictEqual([]);
  // All kinds of places occur.
  expect(sums.nodeClaims).toBeGreaterThan(WORLDS);
  expect(sums.unplaced).toBeGreaterThan(WORLDS);
  // Ties of few domains: a run of Karpenter has anp's choice.
  expect(sums.amongSeveral).toBeGreaterThan(sums.several / 2);
  // A range that is said to be complete has every run of Karpenter; of the others nearly all do.
  expect(sums.complete).toBeGreaterThan(0);
  expect(sums.beyond).toBeLessThan(sums.several / 5);
}, 1_200_000);
