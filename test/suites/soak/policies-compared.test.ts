/** Twenty thousand pairs of policies, other ones each time: as brute force relates them, with witnesses that explain confirms. */
import * as fc from "fast-check";
import { it } from "vitest";
import { checkElsewhere, checkPair } from "../../support/property/check-policy-pair.ts";
import { policyPair } from "../../support/property/policy-pairs.ts";
import { CATALOGUES } from "../../support/property/questions.ts";
import { casesOf, soakSeed } from "../../support/soak/size.ts";

it("relates policies as brute force does", () => {
  fc.assert(
    fc.property(policyPair, fc.constantFrom(...Object.values(CATALOGUES)), (pair, catalogue) => {
      checkElsewhere(pair, checkPair(pair), catalogue);
    }),
    { numRuns: casesOf(20_000, 1000), seed: soakSeed("policies compared") },
  );
}, 1_200_000);
