/** Reports lost labels and annotations of a raw object: its wrapper keeps only the name. */
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";

/**
 * Karpenter 1.0 used it instead of the node class's kubelet settings
 * (docs/upstream/karpenter.md#conversion-annotations).
 */
const KUBELET_OF_V1BETA1 = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";

/** Written by Karpenter, kubectl and hosts of functions for their own use. */
const BOOKKEEPING =
  /^((compatibility\.)?karpenter\.(sh|k8s\.aws)|(internal\.)?config\.kubernetes\.io)\/|^kubectl\.kubernetes\.io\/last-applied-configuration$/;

export function lostMetadata(raw: Resource): Finding[] {
  return (["labels", "annotations"] as const).flatMap((field) => {
    const path = ["metadata", field];
    const { [field]: given } = (raw.value["metadata"] ?? {}) as Readonly<Record<string, unknown>>;
    const keys = Object.keys(typeof given === "object" && given !== null ? given : {});
    const own = keys.filter((key) => !BOOKKEEPING.test(key));
    const subject = describeResource(raw);
    const findings: Finding[] = [];
    if (own.length > 0) {
      const message = `${subject}: the ${field} of the object (${own.join(", ")}) are dropped: the rendered ${raw.kind} has anp's own`;
      const hint = "set them on the wrapper if their readers can use it; nodes are not affected";
      findings.push(findingAt("adopt-lossy", raw, path, { message, hint }));
    }
    if (keys.includes(KUBELET_OF_V1BETA1)) {
      const message = `${subject}: the annotation ${KUBELET_OF_V1BETA1} is dropped; Karpenter 1.0 read kubelet settings from it, later versions do not`;
      const hint = "write the settings in spec.kubelet of the node class";
      findings.push(findingAt("adopt-lossy", raw, [...path, KUBELET_OF_V1BETA1], { message, hint }));
    }
    return findings;
  });
}
