/** Requirements as Karpenter v1.14.1 itself has them and as we do, on random cases: always the same ones. */
import { describe, expect, test } from "vitest";
import { seedOf } from "../../support/property/seed.ts";
import { compareCases } from "../../support/oracle/compare-cases.ts";

describe("the algebra of requirements", () => {
  test("is Karpenter's", async () => {
    const { counts, differences } = await compareCases(42_000, seedOf("algebra against Karpenter", 20_261_121));
    console.log(`algebra against Karpenter: ${JSON.stringify(counts)}`);
    expect(differences).toStrictEqual([]);
    for (const [operation, { cases, negative, panics }] of Object.entries(counts)) {
      expect(cases, operation).toBeGreaterThan(5_000);
      expect(negative, operation).toBeGreaterThan(400);
      expect(cases - negative - panics, operation).toBeGreaterThan(400);
    }
  }, 300_000);
});
