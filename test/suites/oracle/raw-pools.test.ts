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
        "a blocker alone": 25,
        "a mark that asks for something": 38,
        "a record of no entries": 23,
        "a record of the own entries": 36,
        "a record of the policy without its entries": 26,
        "a record that is not one": 24,
        "a template label with the key of the mark": 11,
        "an earlier policy without its record": 33,
        "as its author wrote it": 38,
        "blocked earlier": 27,
        "gets no nodes": 155,
        "gets nodes": 252,
        "not rendered: gets nodes outside the policy": 26,
        "refused: node-pool-invalid": 1,
        "refused: policy-bypassed": 57,
        "refused: policy-bypassed template-key-refused": 6,
        "refused: requirement-crashes-karpenter": 1,
        "refused: requirements-limit": 6,
        "refused: template-key-refused": 22,
        "rendered under an earlier policy": 36,
        "rendered under this policy": 29,
        "the mark last": 27,
        "two marks": 34,
      }
    `);
  },
  600_000,
);
