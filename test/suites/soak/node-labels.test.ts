/** Labels of nodes, and their drift, as Karpenter itself has them and as anp judges pools by them, on many random pools. */
import { describe, expect, test } from "vitest";
import { compareLabels } from "../../support/oracle/compare-labels.ts";
import { compareRawPools } from "../../support/oracle/compare-raw-pools.ts";
import { casesOf, isShort, soakSeed } from "../../support/soak/size.ts";

describe("the labels of nodes", () => {
  test("are within the policy, or the pool is refused; and a pool with nodes that drift for ever is reported", async () => {
    const seed = soakSeed("node labels against Karpenter");
    const { seen, notNeeded, ...found } = await compareLabels(casesOf(100_000, 5000), seed);
    console.log(`node labels against Karpenter, soak: ${JSON.stringify({ seen, notNeeded })}`);
    expect(found).toStrictEqual({ letPass: [], calledOk: [], wrong: [] });
    for (const what of ["ok", "escapes", "drifts", "Karpenter ends", "requirements-limit"])
      expect(seen[what], what).toBeGreaterThan(casesOf(100, 5));
    if (!isShort)
      expect(Object.keys(notNeeded).toSorted()).toStrictEqual([
        "no instance type is left",
        "the excluded number is one of very many",
        "the policy itself lets such nodes come",
      ]);
  }, 2_400_000);

  test("are within the policy once NodePools of users are rendered, whatever their lists and records say", async () => {
    const seed = soakSeed("rendered NodePools of users against Karpenter");
    const { seen, ...found } = await compareRawPools(casesOf(20_000, 500), seed);
    console.log(`rendered NodePools of users against Karpenter, soak: ${JSON.stringify(seen)}`);
    expect(found).toStrictEqual({ escaped: [], misplaced: [] });
    for (const what of ["gets nodes", "refused: policy-bypassed", "not rendered: gets nodes outside the policy"])
      expect(seen[what], what).toBeGreaterThan(casesOf(100, 5));
  }, 2_400_000);
});
