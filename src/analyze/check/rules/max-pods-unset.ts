/** Rule: node classes without kubelet.maxPods. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf, PROVIDED_CLASS } from "../checked-classes.ts";

/**
 * Without it Karpenter estimates the pods of a node from its network interfaces
 * (docs/upstream/karpenter.md#resources-of-a-node). Users cannot set it on the operator's own class.
 */
export function maxPodsUnset(cluster: ExplainedCluster): Finding[] {
  return nodeClassesOf(cluster).flatMap(({ wrapper, spec }) => {
    if (wrapper.name === PROVIDED_CLASS || spec.kubelet?.maxPods !== undefined) return [];
    const message = `${describeResource(wrapper)} sets no kubelet.maxPods: Karpenter plans with as many pods as the network interfaces have addresses, and OpenShift runs 250`;
    return [findingAt("max-pods-unset", wrapper, ["spec", "kubelet"], { message, hint: "set kubelet.maxPods: 250" })];
  });
}
