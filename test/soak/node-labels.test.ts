/** The labels of nodes, and their drift, as Karpenter itself has them and as anp judges pools by them, on a hundred thousand random pools. */
import { describe, expect, test } from "vitest";
import { goMissing } from "../go/toolchain.ts";
import { compareLabels } from "../oracle/compare-labels.ts";
import { seedOf } from "../property/seed.ts";

const missing = await goMissing("comparisons with Karpenter's node labels");

describe.skipIf(missing !== undefined)("the labels of nodes", () => {
  test("are within the policy, or the pool is refused; and a pool whose nodes drift for ever is told of", async () => {
    const seed = seedOf("node labels against Karpenter, soak", Date.now() % 2 ** 31);
    const { seen, notNeeded, ...found } = await compareLabels(100_000, seed);
    console.log(`node labels against Karpenter, soak: ${JSON.stringify({ seen, notNeeded })}`);
    expect(found).toStrictEqual({ letPass: [], calledOk: [], wrong: [] });
    for (const what of ["ok", "escapes", "drifts", "Karpenter ends", "requirements-limit"])
      expect(seen[what], what).toBeGreaterThan(100);
    expect(Object.keys(notNeeded).toSorted()).toStrictEqual([
      "no instance type is left",
      "the excluded number is one of very many",
      "the policy itself lets such nodes come",
    ]);
  }, 2_400_000);
});
