/** Reports objects that change what Karpenter does, and that anp ignores. */
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { describeResource, groupOf, type Resource } from "../../krm/places/resource.ts";

/** By group and kind (docs/upstream/karpenter.md#other-kinds). */
const EFFECTS: Readonly<Record<string, string>> = {
  "karpenter.sh/NodeOverlay": "changes prices and resources of instance types",
  "autoscaling.x-k8s.io/CapacityBuffer": "makes Karpenter keep nodes for pods that do not exist yet",
};

const LOOKED_AT: readonly string[] = ["NodePool", "NodeClaim"];

export function ignoredKinds(resources: readonly Resource[]): Finding[] {
  return resources.flatMap((resource) => {
    const { kind, apiVersion } = resource;
    const group = groupOf(apiVersion);
    const effect = EFFECTS[`${group}/${kind}`];
    if (effect === undefined && (group !== KARPENTER_GROUP || LOOKED_AT.includes(kind))) return [];
    const does = effect ?? `is of a kind of ${KARPENTER_GROUP} that anp does not know`;
    const message = `${describeResource(resource)} ${does}, and anp ignores it`;
    const hint = "anp's answers about pools, instance types and pods do not take it into account";
    return [findingAt("karpenter-kind-ignored", resource, ["kind"], { message, hint })];
  });
}
