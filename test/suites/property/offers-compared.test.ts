/** Compares the diff of pairs of requirement lists with every node of a small catalogue. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkOfferPair, type OfferPair, offerPair } from "../../support/property/offer-pairs.ts";
import { seedOf } from "../../support/property/seed.ts";

/** A family that no type has says nothing about newer types beside a list of known ones. */
const ONLY_KNOWN_TYPES: OfferPair = {
  lists: [
    ["type In m5.xlarge,m5.2xlarge,m7g.xlarge", "family In m5,m99"],
    ["type In m5.xlarge,m5.2xlarge,m7g.xlarge", "arch NotIn arm64"],
  ],
  labels: {},
  catalogue: "small",
};

it("agrees with brute force on types, zones, capacity types and nodes", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(offerPair, (pair) => {
      const { change, brute } = checkOfferPair(pair);
      const what = change === undefined ? "same" : brute.known ? `${change.effect} ${change.scope}` : "nothing runs";
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }),
    { numRuns: 400, seed: seedOf("offers compared", 17), examples: [[ONLY_KNOWN_TYPES]] },
  );
  console.log(`offers compared: ${JSON.stringify(Object.fromEntries(seen))}`);
  for (const what of ["none catalogue", "new-nodes catalogue", "replaces-some always", "replaces-all catalogue"])
    expect([...seen.keys()]).toContain(what);
}, 120_000);
