/** Rule: pools without a requirement on the capacity type. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

const KEY = "karpenter.sh/capacity-type";

/** Karpenter prefers spot to on-demand (docs/upstream/karpenter.md#capacity-types). */
export function capacityTypeUnset({ explanations, knownTypes }: ExplainedCluster): Finding[] {
  // The order of capacity types is known for AWS only.
  if (knownTypes.typesUnknown) return [];
  return explanations.flatMap(({ pool, verdict, requirements }) => {
    if (verdict === "unsatisfiable" || requirements.some(({ key }) => key === KEY)) return [];
    const message = `${describeResource(pool.wrapper)} names no ${KEY}: Karpenter takes reserved capacity first, then spot, then on-demand`;
    const hint = `add an entry for ${KEY}, such as In [on-demand]`;
    const path = ["spec", "template", "spec", "requirements"];
    return [findingAt("capacity-type-unset", pool.wrapper, path, { message, hint })];
  });
}
