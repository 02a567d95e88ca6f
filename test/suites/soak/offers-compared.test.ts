/** Ten thousand pairs of requirement lists, other ones each time: types, zones, capacity types and nodes as brute force has them. */
import * as fc from "fast-check";
import { it } from "vitest";
import { checkOfferPair, offerPair } from "../../support/property/offer-pairs.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

it("says what brute force says of two lists of requirements", () => {
  fc.assert(
    fc.property(offerPair, (pair) => {
      checkOfferPair(pair);
    }),
    { numRuns: casesOf(10_000, 1000), seed: soakSeed("offers compared") },
  );
}, 1_200_000);
