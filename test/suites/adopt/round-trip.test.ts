/** Tests the round trip of adopt and render on random valid objects. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { stringify } from "yaml";
import { objectsOf, roundTrip } from "../../support/adopt/round-trip.ts";
import { seedOf } from "../../support/property/seed.ts";
import { rawObjects } from "../../support/adopt/raw-arbitraries.ts";

it.each(["hypershift", "karpenter-1.14", "karpenter-1.15"])("round-trips, profile %s", async (profile) => {
  let withClass = 0;
  let lossy = 0;
  await fc.assert(
    fc.asyncProperty(rawObjects, async (objects) => {
      const { stderr, wrappers } = await roundTrip(objects.map((object) => stringify(object)).join("---\n"), profile);
      expect(objectsOf(wrappers)).toHaveLength(objects.length);
      withClass += objects.some(({ kind }) => kind === "EC2NodeClass") ? 1 : 0;
      lossy += stderr.includes("adopt-lossy") ? 1 : 0;
    }),
    { numRuns: 150, seed: seedOf(`adopt, ${profile}`, 20_261_123) },
  );
  // A property without a single case proves nothing.
  expect(withClass).toBeGreaterThan(40);
  expect(lossy).toBeGreaterThan(20);
});
