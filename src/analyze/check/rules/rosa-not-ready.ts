/** Rule: node classes that are not ready, about which ROSA notifies the owner of the cluster. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { valueAt } from "../../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { someOf } from "../../../krm/values/counted.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

/** Of the wrapper alone: Karpenter's own class stays ready. */
const OF_VERSIONS = ["VersionResolved", "SupportedVersionSkew"];

/** See docs/upstream/hypershift.md#rosa. */
export function rosaNotReady(cluster: ExplainedCluster): Finding[] {
  return checkedClasses(cluster).flatMap(({ resource }) => {
    const failing = failingConditions(resource);
    const causes = failing.filter((type) => type !== "Ready" && !OF_VERSIONS.includes(type));
    if (!failing.includes("Ready") || (causes.length === 0 && failing.length > 1)) return [];
    const why = causes.length === 0 ? "" : ` (${someOf(causes, 3)})`;
    const message = `${describeResource(resource)} is not ready${why}: Karpenter launches no nodes for its pools, and ROSA sends the notification ec2nodeclass-not-ready after 5 minutes`;
    const hint =
      "check the tags of subnets and security groups against its selector terms, then the instance profile and the permissions of Karpenter's role";
    return [findingAt("rosa-not-ready", resource, ["status", "conditions"], { message, hint })];
  });
}

/** The types of conditions that are not True. */
function failingConditions({ value }: Resource): string[] {
  const conditions = valueAt(value, ["status", "conditions"]);
  return (Array.isArray(conditions) ? conditions : [])
    .filter((condition) => valueAt(condition, ["status"]) !== "True")
    .map((condition) => valueAt(condition, ["type"]))
    .filter((type): type is string => typeof type === "string");
}
