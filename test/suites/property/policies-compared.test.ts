/** Compares the relation of pairs of policies with every node and wrapper of a small catalogue. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkElsewhere, checkPair } from "../../support/property/check-policy-pair.ts";
import { policyPair } from "../../support/property/policy-pairs.ts";
import { CATALOGUES } from "../../support/property/questions.ts";
import { seedOf } from "../../support/property/seed.ts";

it("relates policies as brute force does, and explain confirms each witness", () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(policyPair, fc.constantFrom(...Object.values(CATALOGUES)), (pair, catalogue) => {
      const compared = checkPair(pair);
      checkElsewhere(pair, compared, catalogue);
      const { relation, scope } = compared;
      const what = `${relation} ${scope}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }),
    { numRuns: 300, seed: seedOf("policies compared", 17) },
  );
  console.log(`policies compared: ${JSON.stringify(Object.fromEntries(seen))}`);
  for (const relation of ["equivalent", "tighter", "looser", "disjoint", "incomparable"])
    expect(
      [...seen.keys()].some((what) => what.startsWith(relation)),
      relation,
    ).toBe(true);
});
