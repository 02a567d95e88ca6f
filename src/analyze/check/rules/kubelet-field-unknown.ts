/** Settings of the kubelet that no kubelet has, where the kind takes any. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { nearestWord } from "../../../krm/nearest-word.ts";
import { describeResource } from "../../../krm/resource.ts";
import { KUBELET_FIELDS } from "../../../model/kubelet-fields.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

/** Up to 1.14 Karpenter's own CRD has a closed list of them, and what is not on it is an unknown field. */
export function kubeletFieldUnknown(cluster: ExplainedCluster): Finding[] {
  if (cluster.mode === "raw" && cluster.inputs.settings.profile !== "karpenter-1.15") return [];
  return checkedClasses(cluster).flatMap(({ resource, kubelet, placeOf }) =>
    Object.keys(kubelet)
      .filter((field) => !KUBELET_FIELDS.has(field))
      .map((field) => {
        const place = placeOf(["kubelet", field]);
        const message = `${describeResource(resource)}: kubelet.${field} is no setting of the kubelet, and sets nothing`;
        const nearest = nearestWord(field, [...KUBELET_FIELDS], 3);
        const hint = nearest === undefined ? "take it out" : `did you mean ${nearest}?`;
        return findingAt("kubelet-field-unknown", place.resource, place.path, { message, hint }, "key");
      }),
  );
}
