/** Rule: node classes without kubelet.maxPods, if Karpenter does not know OpenShift's number. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf, PROVIDED_CLASS } from "../checked-classes.ts";

/**
 * OpenShift's own Karpenter plans with the number that its nodes have
 * (docs/upstream/hypershift.md#resources-of-a-node); upstream's estimates it from the network interfaces. Users cannot
 * set it on the operator's own class.
 */
export function maxPodsUnset(cluster: ExplainedCluster): Finding[] {
  if (cluster.inputs.settings.profile === "hypershift") return [];
  return nodeClassesOf(cluster).flatMap(({ wrapper, spec }) => {
    if (wrapper.name === PROVIDED_CLASS || spec.kubelet?.maxPods !== undefined) return [];
    const message = `${describeResource(wrapper)} sets no kubelet.maxPods: Karpenter plans with as many pods as the network interfaces have addresses, and OpenShift runs 250`;
    return [findingAt("max-pods-unset", wrapper, ["spec", "kubelet"], { message, hint: "set kubelet.maxPods: 250" })];
  });
}
