/** Rule: pools with a fixed number of nodes, which ROSA does not support. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** See docs/upstream/hypershift.md#rosa and docs/upstream/karpenter.md#static-pools. */
export function rosaReplicas({ pools }: ExplainedCluster): Finding[] {
  return pools
    .filter(({ replicas }) => replicas !== undefined)
    .map(({ wrapper }) => {
      const message = `${describeResource(wrapper)} has a fixed number of nodes: ROSA does not support it, and its Karpenter launches no nodes for the pool`;
      const hint = "make a pool without spec.replicas: Karpenter then launches the nodes that pods need";
      return findingAt("rosa-replicas", wrapper, ["spec", "replicas"], { message, hint });
    });
}
