/** Compares which instance types fit the limits of a pool with Karpenter's own filter, on random limits and uses. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quantityText } from "../../../src/analyze/explain/amounts.ts";
import { includesType } from "../../../src/karpenter/catalogue/type-mask.ts";
import { capacityOf, typesWithinLimits } from "../../../src/karpenter/scheduling/limits.ts";
import { shippedCatalogue } from "../../../src/library/shipped-catalogue.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { seedOf } from "../../support/property/seed.ts";

const QUESTIONS = 2000;
const TYPES = 10;

const catalogue = shippedCatalogue();
const RESOURCES = ["cpu", "memory", "pods", "nvidia.com/gpu", "aws.amazon.com/neuron", "example.com/other"];

/** Limits near the capacity of a type, exactly on it, and in other notations. */
const limitOf = (resource: string, types: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...types), fc.constantFrom(-1n, 0n, 0n, 1n, 10n ** 6n), fc.integer({ min: 0, max: 3 }))
    .map(([type, more, times]) => quantityText(resource, capacityOf(catalogue, resource, type) * BigInt(times) + more));

const question = fc
  .uniqueArray(fc.nat(catalogue.names.length - 1), { minLength: TYPES, maxLength: TYPES })
  .chain((types) =>
    fc.record({
      types: fc.constant(types),
      limits: fc
        .subarray(RESOURCES, { minLength: 1 })
        .chain((names) =>
          fc
            .tuple(...names.map((name) => limitOf(name, types)))
            .map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]!]))),
        ),
    }),
  );

test.each(["1.14", "1.15"] as const)("types within limits are those of Karpenter %s", async (karpenter) => {
  const samples = fc.sample(question, { numRuns: QUESTIONS, seed: seedOf("limits", 20_261_126) });
  const replies = await askOracle(
    samples.map(({ types, limits }) => ({
      op: "withinLimits",
      types: types.map((type) => ({
        name: catalogue.names[type]!,
        capacity: Object.fromEntries(
          RESOURCES.map((name) => [name, quantityText(name, capacityOf(catalogue, name, type))]),
        ),
      })),
      remaining: limits,
    })),
    karpenter,
  );
  let excluded = 0;
  for (const [at, { types, limits }] of samples.entries()) {
    const mask = typesWithinLimits(limits, catalogue);
    const ours = types.filter((type) => includesType(mask, type)).map((type) => catalogue.names[type]!);
    expect(replies[at]!.answer, JSON.stringify(limits)).toEqual(ours);
    excluded += TYPES - ours.length;
  }
  // Neither all nor none: the limits are near the capacity of the types.
  expect(excluded).toBeGreaterThan(QUESTIONS);
  expect(excluded).toBeLessThan(QUESTIONS * (TYPES - 1));
});
