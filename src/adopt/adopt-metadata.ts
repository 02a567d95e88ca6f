/** Labels and annotations of a raw object that are lost: its wrapper keeps the name alone. */
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";

/** In v1.0 it stood for the node class's own kubelet settings (docs/upstream/karpenter.md#conversion-annotations). */
const KUBELET_OF_V1BETA1 = "compatibility.karpenter.sh/v1beta1-kubelet-conversion";

/** Karpenter, kubectl and the hosts of functions write these for themselves. */
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
      const message = `${subject}: the ${field} of the object (${own.join(", ")}) are left out: the ${raw.kind} that is rendered carries anp's own`;
      const hint = "write them on the wrapper, if what looks for them can look there; nodes are not concerned";
      findings.push(findingAt("adopt-lossy", raw, path, { message, hint }));
    }
    if (keys.includes(KUBELET_OF_V1BETA1)) {
      const message = `${subject}: the annotation ${KUBELET_OF_V1BETA1} is left out; Karpenter 1.0 took the kubelet's settings from it, later ones do not`;
      const hint = "write the settings in spec.kubelet of the node class";
      findings.push(findingAt("adopt-lossy", raw, [...path, KUBELET_OF_V1BETA1], { message, hint }));
    }
    return findings;
  });
}
