/** Rule: unknown kubelet settings, in kinds that accept any field. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { nearestAmong } from "../../../krm/values/nearest-word.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { KUBELET_FIELDS } from "../../../model/node-classes/kubelet-rules.ts";
import { memoize } from "../../../model/schema/memoize.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

const nearestField = memoize(() => nearestAmong([...KUBELET_FIELDS]));

/** Up to 1.14, Karpenter's CRD has a closed list of settings, and others are reported as unknown fields. */
export function kubeletFieldUnknown(cluster: ExplainedCluster): Finding[] {
  if (cluster.mode === "raw" && cluster.inputs.settings.profile !== "karpenter-1.15") return [];
  return checkedClasses(cluster).flatMap(({ resource, kubelet, placeOf }) =>
    Object.keys(kubelet)
      .filter((field) => !KUBELET_FIELDS.has(field))
      .map((field) => {
        const place = placeOf(["kubelet", field]);
        const message = `${describeResource(resource)}: kubelet.${field} is not a setting of the kubelet and has no effect`;
        const nearest = nearestField()(field, 3);
        const hint = nearest === undefined ? "remove it" : `did you mean ${nearest}?`;
        return findingAt("kubelet-field-unknown", place.resource, place.path, { message, hint }, "key");
      }),
  );
}
