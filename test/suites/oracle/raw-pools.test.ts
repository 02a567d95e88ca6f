/** Tests by Karpenter's own code that no NodePool of users gets nodes outside the policy once it is rendered. */
import { expect, test } from "vitest";
import { compareRawPools } from "../../support/oracle/compare-raw-pools.ts";

/** The counts below are of these pools; test/suites/soak runs others. */
const SEED = 20_261_126;

test.each(["1.14", "1.15"] as const)(
  "rendered NodePools of users get no nodes outside the policy on Karpenter %s, and are the same when rendered again",
  async (version) => {
    const { seen, ...found } = await compareRawPools(500, SEED, version);
    console.log(`rendered NodePools of users on Karpenter ${version}: ${JSON.stringify(seen)}`);
    expect(found).toStrictEqual({ escaped: [], misplaced: [] });
    expect(seen).toMatchInlineSnapshot(`
      {
        "a blocker alone": 27,
        "a mark that asks for something": 35,
        "a record of no entries": 20,
        "a record of the own entries": 37,
        "a record of the policy without its entries": 24,
        "a record that is not one": 30,
        "a template label with the key of the mark": 13,
        "an earlier policy without its record": 34,
        "as its author wrote it": 31,
        "blocked earlier": 32,
        "gets no nodes": 154,
        "gets nodes": 259,
        "not rendered: gets nodes outside the policy": 21,
        "refused: policy-bypassed": 53,
        "refused: policy-bypassed template-key-refused": 6,
        "refused: requirement-crashes-karpenter": 3,
        "refused: requirements-limit": 2,
        "refused: template-key-refused": 23,
        "rendered under an earlier policy": 34,
        "rendered under this policy": 30,
        "the mark last": 25,
        "two marks": 41,
      }
    `);
  },
  600_000,
);
