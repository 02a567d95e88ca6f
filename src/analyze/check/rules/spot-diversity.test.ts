/** Which Spot pools have too few types, if the policy allows more. */
import { expect, it } from "vitest";
import { CATALOGUE, changedPool, clusterOf, type PoolInShort } from "../../../../test/support/instance-types.ts";
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { catalogueOf } from "../../../karpenter/catalogue/catalogue-of.ts";
import { labelRequirements } from "../../../karpenter/requirements/requirements.ts";
import { spotDiversity } from "./spot-diversity.ts";

/** A number of types that differ only by their names. */
function types(count: number): Catalogue {
  const { source, date, wellKnown, optional } = CATALOGUE;
  return catalogueOf(
    { source, date, wellKnown, optional },
    Array.from({ length: count }, (_, index) => {
      const name = `m5.${index + 10}xlarge`;
      const labels = labelRequirements({ "node.kubernetes.io/instance-type": name });
      const requirements = labelRequirements({ "karpenter.sh/capacity-type": "spot" });
      return { name, labels, offerings: [{ requirements, available: true }], allocatable: {} };
    }),
  );
}

it.each<[string, PoolInShort, number]>([
  ["14 types", { user: ["capacity In spot"], catalogue: types(14) }, 0],
  ["14 of 15 types", { user: ["capacity In spot", "type NotIn m5.10xlarge"], catalogue: types(15) }, 1],
  ["15 types", { user: ["capacity In spot"], catalogue: types(15) }, 0],
  ["on-demand as well", { user: ["capacity In spot,on-demand", "type In m5.10xlarge"], catalogue: types(15) }, 0],
  ["nothing said of Spot", { user: ["type In m5.10xlarge"], catalogue: types(15) }, 0],
  ["Spot by the policy", { policy: ["capacity In spot"], user: ["type In m5.10xlarge"], catalogue: types(15) }, 1],
  ["few by the policy", { policy: ["type In m5.10xlarge"], user: ["capacity In spot"], catalogue: types(15) }, 0],
  ["no type at all", { user: ["capacity In spot", "type In x1.large"], catalogue: types(15) }, 0],
])("%s", (_what, pool, count) => {
  expect(spotDiversity(clusterOf(pool))).toHaveLength(count);
});

it.each([
  [{ consolidationPolicy: "WhenEmpty", consolidateAfter: "1m" }, "left: an interruption"],
  [{ consolidateAfter: "Never" }, "left: an interruption"],
  [
    { consolidationPolicy: "WhenEmptyOrUnderutilized", consolidateAfter: "1m" },
    "left: Karpenter replaces no Spot node",
  ],
] as const)("%o", (disruption, says) => {
  const cluster = clusterOf({ user: ["capacity In spot", "type In m5.10xlarge"], catalogue: types(15) });
  const [explanation] = cluster.explanations;
  const { pool } = explanation!;
  const changed = changedPool(pool, { spec: { ...pool.spec, disruption } });
  const [found] = spotDiversity({ ...cluster, explanations: [{ ...explanation!, pool: changed }] });
  expect(found?.message).toContain(says);
});
