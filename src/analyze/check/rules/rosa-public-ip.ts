/** Public addresses of nodes, which ROSA means to refuse. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

/** Its rule names a field of v1beta1 and lets that of v1 pass (docs/upstream/hypershift.md#rosa). */
export function rosaPublicIp(cluster: ExplainedCluster): Finding[] {
  const hint = cluster.mode === "hosted" ? "write SubnetDefault, or leave it out" : "leave it out";
  return checkedClasses(cluster).flatMap(({ resource, publicAddress }) => {
    if (publicAddress === undefined) return [];
    const message = `${describeResource(resource)}: ROSA allows no public addresses; its admission policy overlooks this field, for now`;
    return [findingAt("rosa-public-ip", publicAddress.resource, publicAddress.path, { message, hint })];
  });
}
