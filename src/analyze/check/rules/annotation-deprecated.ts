/** Rule: annotations of Karpenter v1beta1 that v1 does not read. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../../krm/places/field-path.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

const DEPRECATED = ["karpenter.sh/do-not-consolidate", "karpenter.sh/do-not-evict"];
const PLACES: readonly FieldPath[] = [
  ["spec", "template", "metadata", "annotations"],
  ["metadata", "annotations"],
];

/** Karpenter disrupts the nodes that these should protect (docs/upstream/karpenter.md#nodepools-of-v1beta1). */
export function annotationDeprecated({ pools }: ExplainedCluster): Finding[] {
  return pools.flatMap(({ wrapper }) =>
    PLACES.flatMap((at) =>
      DEPRECATED.filter((key) => valueAt(wrapper.value, [...at, key]) !== undefined).map((key) => {
        const message = `${describeResource(wrapper)}: Karpenter no longer reads the annotation ${key}`;
        const hint = "set karpenter.sh/do-not-disrupt in the template's annotations";
        return findingAt("annotation-deprecated", wrapper, [...at, key], { message, hint });
      }),
    ),
  );
}
