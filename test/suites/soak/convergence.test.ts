/** When pools settle, on five thousand random pools, other ones each time. */
import { expect, test } from "vitest";
import { compareConvergence } from "../../support/oracle/compare-convergence.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

test("random pools settle when Karpenter's own code is through with them", async () => {
  const pools = casesOf(5000, 500);
  const { counts, wrong } = await compareConvergence(pools, soakSeed("settling"));
  console.log(`settling, soak: ${pools} pools, ${JSON.stringify(counts)}, ${wrong.length} answered differently`);
  expect(wrong.slice(0, 2)).toStrictEqual([]);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(pools / 25);
}, 1_200_000);
