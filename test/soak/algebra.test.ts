/** Requirements as Karpenter itself has them and as we do, on two hundred thousand random cases, other ones each time. */
import { describe, expect, test } from "vitest";
import { goMissing } from "../go/toolchain.ts";
import { compareCases } from "../oracle/compare-cases.ts";
import { seedOf } from "../property/seed.ts";

const missing = await goMissing("comparisons with Karpenter's algebra");

describe.skipIf(missing !== undefined)("the algebra of requirements", () => {
  test("is Karpenter's", async () => {
    const seed = seedOf("algebra against Karpenter, soak", Date.now() % 2 ** 31);
    const { counts, differences } = await compareCases(200_000, seed);
    console.log(`algebra against Karpenter, soak: ${JSON.stringify(counts)}`);
    expect(differences).toStrictEqual([]);
    for (const [operation, { cases }] of Object.entries(counts)) expect(cases, operation).toBeGreaterThan(25_000);
  }, 1_200_000);
});
