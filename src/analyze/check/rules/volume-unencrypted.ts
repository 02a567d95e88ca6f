/** Rule: volumes without encryption set, for which the default of the AWS account applies. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { volumesOf } from "../checked-classes.ts";

export function volumeUnencrypted(cluster: ExplainedCluster): Finding[] {
  return volumesOf(cluster).flatMap(({ encrypted, placeOf, root }) => {
    if (encrypted === true) return [];
    const { resource, path } = placeOf("encrypted");
    const what = root ? "the root volume" : "a data disk";
    const how = encrypted === false ? "is not encrypted" : "is encrypted only if the AWS account encrypts by default";
    const message = `${describeResource(resource)}: ${what} ${how}`;
    return [findingAt("volume-unencrypted", resource, path, { message, hint: "set it to be encrypted" })];
  });
}
