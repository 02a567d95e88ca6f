/** Rule: public addresses of nodes, which ROSA does not allow. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

/** ROSA's admission policy checks only the field of v1beta1 (docs/upstream/hypershift.md#rosa). */
export function rosaPublicIp(cluster: ExplainedCluster): Finding[] {
  const hint = cluster.mode !== "raw" ? "set SubnetDefault, or remove it" : "remove it";
  return checkedClasses(cluster).flatMap(({ resource, publicAddress }) => {
    if (publicAddress === undefined) return [];
    const message = `${describeResource(resource)}: ROSA allows no public addresses; its admission policy does not check this field yet`;
    return [findingAt("rosa-public-ip", publicAddress.resource, publicAddress.path, { message, hint })];
  });
}
