/** The labels of nodes, and their drift, as Karpenter v1.14.1 itself has them and as anp judges pools by them: always the same pools. */
import { describe, expect, test } from "vitest";
import { prove } from "../../../src/analyze/check/prove.ts";
import { typeFilter } from "../../../src/karpenter/catalogue/type-filter.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirement.ts";
import { CATALOGUE } from "../../support/market.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { bundleOf, policyText } from "../../support/bundle.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { compareLabels, questionOf } from "../../support/oracle/compare-labels.ts";

/** What is counted below is of these pools; other ones are tried in test/suites/soak. */
const SEED = 20_261_122;

const TIER = { key: "example.com/tier" };
const AROUND_FIVE: NodeSelectorRequirement[] = [
  { ...TIER, operator: "Gt", values: ["4"] },
  { ...TIER, operator: "Lt", values: ["6"] },
];
const EMPTY: NodeSelectorRequirement[] = [{ ...TIER, operator: "In", values: [""] }];

describe("the labels of nodes", () => {
  test("are within the policy, or the pool is refused; and a pool whose nodes drift for ever is told of", async () => {
    const { seen, notNeeded, ...found } = await compareLabels(2_000, SEED);
    console.log(`node labels against Karpenter: ${JSON.stringify({ seen, notNeeded })}`);
    expect(found).toStrictEqual({ letPass: [], calledOk: [], wrong: [] });
    expect({ seen, notNeeded }).toMatchInlineSnapshot(`
      {
        "notNeeded": {
          "no instance type is left": 44,
          "the excluded number is one of very many": 1,
          "the policy itself lets such nodes come": 33,
        },
        "seen": {
          "Karpenter ends": 10,
          "drifts": 127,
          "drifts-forever": 106,
          "escapes": 276,
          "ok": 914,
          "policy-bypassed": 347,
          "requirement-crashes-karpenter": 10,
          "requirement-ignored": 329,
          "requirements-conflict": 154,
          "requirements-limit": 6,
        },
      }
    `);
  }, 600_000);

  // The ways that `anp check --prove` calls open: no wrapper has a part in them.
  test.each<[string, NodeSelectorRequirement, NodeSelectorRequirement[], boolean]>([
    ["bounds around what is excluded", { ...TIER, operator: "NotIn", values: ["5"] }, AROUND_FIVE, true],
    ["an empty value where one is asked for", { ...TIER, operator: "Exists" }, EMPTY, true],
    ["bounds where values are listed", { ...TIER, operator: "In", values: ["4", "6"] }, AROUND_FIVE, false],
    ["an empty value where values are listed", { ...TIER, operator: "In", values: ["gold"] }, EMPTY, false],
    ["an empty value within bounds", { ...TIER, operator: "Gt", values: ["4"] }, EMPTY, false],
    ["an empty value where a word is excluded", { ...TIER, operator: "NotIn", values: ["gold"] }, EMPTY, false],
  ])("pods with %s", async (_what, policy, pod, breaks) => {
    const pool = { labels: {}, own: [], policy: [policy], taints: [], limits: {} };
    const question = { ...questionOf(pool), pod };
    const [reply] = await askOracle([question]);
    expect(reply?.answer).toMatchObject({ breaks: breaks ? [TIER.key] : [] });
    const bundle = bundleOf({
      "policy.yaml": policyText(`{nodePoolDefaults: {requirements: [${JSON.stringify(policy)}]}}`),
    });
    const { ways } = prove(resolve(bundle, {}), typeFilter(CATALOGUE))!;
    expect(ways.some(({ what }) => what.startsWith("a pod whose"))).toBe(breaks);
  });
});
