/** Rule: node classes whose nodes follow an upgrade of the control plane that is in progress. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf, PROVIDED_CLASS } from "../checked-classes.ts";
import { controlPlaneUpgrade } from "../control-plane.ts";

/** See docs/upstream/hypershift.md#versions. Only a HostedControlPlane among the inputs says that it is upgraded. */
export function rosaUpgrade(cluster: ExplainedCluster): Finding[] {
  const upgrade = controlPlaneUpgrade(cluster);
  if (upgrade === undefined) return [];
  const { from, to } = upgrade;
  return nodeClassesOf(cluster).flatMap(({ wrapper, spec }) => {
    if (spec.version !== undefined) return [];
    const message = `the control plane is upgraded from ${from} to ${to}, and ${describeResource(wrapper)} pins no version: Karpenter replaces the nodes of the class when the upgrade is complete, or already during it`;
    const hint =
      wrapper.name === PROVIDED_CLASS
        ? "to decide when nodes are replaced, refer pools to a class of another name that pins a version"
        : `to keep the nodes, set spec.version: ${from}`;
    return [findingAt("rosa-upgrade", wrapper, ["spec"], { message, hint })];
  });
}
