/**
 * Compares the convergence of random pools with Karpenter's own code for budgets, expiry and candidates, stepped
 * through time.
 */
import { expect, test } from "vitest";
import { compareConvergence } from "../../support/oracle/compare-convergence.ts";
import { seedOf } from "../../support/property/seed.ts";

const POOLS = 500;

test("random pools converge when Karpenter's own code has replaced their nodes", async () => {
  const { counts, wrong } = await compareConvergence(POOLS, seedOf("settling", 20_261_123));
  console.log(`settling: ${POOLS} pools, ${JSON.stringify(counts)}, ${wrong.length} answered differently`);
  expect(wrong.slice(0, 2)).toStrictEqual([]);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(POOLS / 25);
}, 900_000);
