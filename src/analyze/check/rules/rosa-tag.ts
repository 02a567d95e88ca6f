/** Rule: tags of node classes that ROSA reserves (docs/upstream/hypershift.md#rosa). */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

/** The schemas of the kinds already refuse `kubernetes.io/cluster/…`. */
const REFUSED = /^(red-hat-managed$|api\.openshift\.com\/)/;

export function rosaTag(cluster: ExplainedCluster): Finding[] {
  return checkedClasses(cluster).flatMap((nodeClass) =>
    nodeClass.tags
      .filter((key) => REFUSED.test(key))
      .map((key) => {
        const { resource, path } = nodeClass.placeOf(["tags", key]);
        const message = `${describeResource(nodeClass.resource)}: ROSA's admission policies refuse the tag ${key}`;
        return findingAt("rosa-tag", resource, path, { message, hint: "remove it: ROSA sets its own tags" });
      }),
  );
}
