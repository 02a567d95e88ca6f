/** Compares requirements of each Karpenter version with ours on random cases with a fixed seed. */
import { describe, expect, test } from "vitest";
import { seedOf } from "../../support/property/seed.ts";
import { compareCases } from "../../support/oracle/compare-cases.ts";

describe("the algebra of requirements", () => {
  test.each(["1.14", "1.15"] as const)(
    "is that of Karpenter %s",
    async (karpenter) => {
      const seed = seedOf("algebra against Karpenter", 20_261_121);
      const { counts, differences } = await compareCases(42_000, seed, karpenter);
      console.log(`algebra against Karpenter ${karpenter}: ${JSON.stringify(counts)}`);
      expect(differences).toStrictEqual([]);
      for (const [operation, { cases, negative, panics }] of Object.entries(counts)) {
        expect(cases, operation).toBeGreaterThan(5_000);
        expect(negative, operation).toBeGreaterThan(400);
        expect(cases - negative - panics, operation).toBeGreaterThan(400);
      }
    },
    300_000,
  );
});
