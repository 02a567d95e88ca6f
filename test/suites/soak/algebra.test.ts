/** Requirements as Karpenter itself has them and as we do, on two hundred thousand random cases, other ones each time. */
import { describe, expect, test } from "vitest";
import { compareCases } from "../../support/oracle/compare-cases.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

describe("the algebra of requirements", () => {
  test("is Karpenter's", async () => {
    const seed = soakSeed("algebra against Karpenter");
    const { counts, differences } = await compareCases(casesOf(200_000, 20_000), seed);
    console.log(`algebra against Karpenter, soak: ${JSON.stringify(counts)}`);
    expect(differences).toStrictEqual([]);
    for (const [operation, { cases }] of Object.entries(counts))
      expect(cases, operation).toBeGreaterThan(casesOf(25_000, 2000));
  }, 1_200_000);
});
