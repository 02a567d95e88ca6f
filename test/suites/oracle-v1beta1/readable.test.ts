/**
 * Tests that Karpenter 1.0.8's own types can decode what `anp migrate` writes, without unknown fields or wrong types.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KarpenterVersion } from "../../../src/karpenter/conversion/karpenter-type.ts";
import type { Fields } from "../../../src/krm/values/fields.ts";
import { parseSources } from "../../../src/krm/parse/parse.ts";
import { testSource } from "../../support/source.ts";
import { migrate } from "../../../src/migrate/migrate.ts";
import { seedOf } from "../../support/property/seed.ts";
import { ec2NodeClass, nodeClaim, nodePool } from "../../support/oracle-v1beta1/arbitraries.ts";
import { askConversionOracle } from "../../support/oracle-v1beta1/ask.ts";

const seed = seedOf("migrated objects to Karpenter", 20_261_121);

describe("what is migrated for manifests", () => {
  test.each(["v1", "v1beta1"] as const)(
    "to %s is read by Karpenter",
    async (to) => {
      const from = to === "v1" ? "v1beta1" : "v1";
      const input = fc.sample(fc.tuple(nodePool(from), nodeClaim(from), ec2NodeClass(from)), { numRuns: 1_000, seed });
      const written = input.flatMap((objects) => objects.flatMap((object) => migrated(object, to)));
      const replies = await askConversionOracle(written.map((object) => ({ op: "read", object })));
      const errors = replies.flatMap(({ object, ...error }, index) =>
        object === undefined ? [{ error, written: written[index] }] : [],
      );
      console.log(`migrated objects to Karpenter: ${written.length} of ${input.length * 3} are written in ${to}`);
      expect(errors.slice(0, 2)).toStrictEqual([]);
      expect(written.length).toBeGreaterThan(1_000);
    },
    300_000,
  );
});

/** Undefined if it cannot be converted. Most random objects violate some rule, which does not matter here. */
function migrated(object: Fields, to: KarpenterVersion): readonly Fields[] {
  const { value: resources } = parseSources([testSource(JSON.stringify(object))]);
  const { value, findings } = migrate(resources, { to, compat: false, profile: "karpenter-1.14" });
  return findings.some(({ code }) => code === "migrate-refused")
    ? []
    : value.flatMap((one) => [one.value, ...one.split.map((split) => split.value)]);
}
