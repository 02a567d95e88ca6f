/** The labels of nodes, and their drift, as Karpenter itself has them and as anp judges pools by them, on a hundred thousand random pools. */
import { describe, expect, test } from "vitest";
import { compareLabels } from "../../support/oracle/compare-labels.ts";
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
});
