/** Public addresses of nodes, which ROSA means to refuse. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf } from "../node-classes.ts";

/** Its rule names a field of v1beta1 and lets that of v1 pass (docs/upstream/hypershift.md#rosa). */
export function rosaPublicIp(cluster: ExplainedCluster): Finding[] {
  return nodeClassesOf(cluster)
    .filter(({ spec }) => spec.ipAddressAssociation === "Public")
    .map((nodeClass) => {
      const { resource, path } = nodeClass.placeOf(["ipAddressAssociation"]);
      const message = `${describeResource(nodeClass.wrapper)}: ROSA allows no public addresses; its admission policy overlooks this field, for now`;
      return findingAt("rosa-public-ip", resource, path, { message, hint: "write SubnetDefault, or leave it out" });
    });
}
