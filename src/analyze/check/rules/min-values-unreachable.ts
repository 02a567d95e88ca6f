/** Rule: pools with a minValues that the remaining instance types cannot meet. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { typesOfPolicy } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { minValuesMissed, missedWords } from "../../explain/why-no-nodes.ts";

/** Karpenter then launches nothing, although there are instance types (docs/upstream/karpenter.md#minvalues). */
export function minValuesUnreachable(cluster: ExplainedCluster): Finding[] {
  const { explanations, knownTypes } = cluster;
  // If the policy alone misses minValues, that is reported for the policy.
  const ofPolicy = typesOfPolicy(cluster).shortfall;
  return explanations.flatMap(({ pool, obstacles, remaining, requirements, conflict }) => {
    if (!obstacles.includes("min-values-unreachable")) return [];
    return minValuesMissed({ requirements, remaining }).flatMap((missed) => {
      const { key, wanted } = missed;
      const asked = requirements.find((one) => one.key === key);
      if (asked === undefined || ofPolicy.has(key)) return [];
      const asking = [...asked.policy, ...asked.user].filter(({ requirement }) => requirement.minValues === wanted);
      const at = asking.find(({ from }) => from !== "policy") ?? conflict.findLast(({ from }) => from !== "policy");
      const { resource, path } = (at ?? asking[0])?.place ?? { resource: pool.wrapper, path: ["spec"] };
      const message = `${describeResource(pool.wrapper)}: it ${missedWords(missed)}; the pool gets no new nodes`;
      const hint = knownTypes.filter.catalogue.wellKnown.has(key)
        ? "lower minValues, or allow more instance types"
        : "no instance type has a custom label, so remove minValues from it";
      return [findingAt("min-values-unreachable", resource, path, { message, hint })];
    });
  });
}
