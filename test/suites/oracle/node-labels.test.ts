/** Compares node labels and their drift in Karpenter with anp's verdicts, on pools with a fixed seed. */
import { describe, expect, test } from "vitest";
import { prove } from "../../../src/analyze/check/prove.ts";
import { typeFilter } from "../../../src/karpenter/catalogue/type-filter.ts";
import type { NodeSelectorRequirement } from "../../../src/model/requirements/requirement.ts";
import { CATALOGUE } from "../../support/instance-types.ts";
import { resolve } from "../../../src/resolve/resolve.ts";
import { makeBundle, policyText } from "../../support/bundle.ts";
import { askOracle } from "../../support/oracle/ask.ts";
import { compareLabels, questionOf } from "../../support/oracle/compare-labels.ts";

/** The counts below are of these pools; test/suites/soak runs others. */
const SEED = 20_261_122;

const TIER = { key: "example.com/tier" };
const AROUND_FIVE: NodeSelectorRequirement[] = [
  { ...TIER, operator: "Gt", values: ["4"] },
  { ...TIER, operator: "Lt", values: ["6"] },
];
const EMPTY: NodeSelectorRequirement[] = [{ ...TIER, operator: "In", values: [""] }];

describe("the labels of nodes", () => {
  test.each(["1.14", "1.15"] as const)(
    "are within the policy on Karpenter %s, or the pool is refused; and pools with nodes that always drift are reported",
    async (version) => {
      const { seen, notNeeded, ...found } = await compareLabels(2_000, SEED, version);
      console.log(`node labels against Karpenter ${version}: ${JSON.stringify({ seen, notNeeded })}`);
      expect(found).toStrictEqual({ letPass: [], calledOk: [], wrong: [] });
      expect({ seen, notNeeded }).toMatchInlineSnapshot(`
        {
          "notNeeded": {
            "no class says which partitions there are": 18,
            "no instance type is left": 64,
            "no pod asks a static pool for a label": 9,
            "nodes come of the reservation's type alone": 8,
            "the excluded number is one of very many": 7,
            "the policy itself lets such nodes come": 56,
          },
          "seen": {
            "Karpenter ends": 12,
            "drifts": 159,
            "drifts if the placement group has no partitions": 1,
            "drifts-forever": 108,
            "escapes": 208,
            "ok": 885,
            "pods get what the policy does not admit": 3,
            "policy-bypassed": 354,
            "requirement-crashes-karpenter": 12,
            "requirement-ignored": 315,
            "requirements-conflict": 234,
            "requirements-limit": 12,
          },
        }
      `);
    },
    600_000,
  );

  // The bypass paths that `anp check --prove` reports as open, independent of wrappers.
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
    const bundle = makeBundle({
      "policy.yaml": policyText(`{nodePoolDefaults: {requirements: [${JSON.stringify(policy)}]}}`),
    });
    const { ways } = prove(resolve(bundle, {}), typeFilter(CATALOGUE))!;
    expect(ways.some(({ what }) => what.startsWith("a pod with"))).toBe(breaks);
  });
});
