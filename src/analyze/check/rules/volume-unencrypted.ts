/** Volumes that nobody says are encrypted: AWS then does as the account's default says. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { volumesOf } from "../volumes.ts";

export function volumeUnencrypted(cluster: ExplainedCluster): Finding[] {
  return volumesOf(cluster).flatMap(({ encrypted, placeOf, root }) => {
    if (encrypted === true) return [];
    const { resource, path } = placeOf("encrypted");
    const what = root ? "the root volume" : "a data disk";
    const how =
      encrypted === false ? "is not encrypted" : "is encrypted only where the AWS account makes that the default";
    const message = `${describeResource(resource)}: ${what} ${how}`;
    return [findingAt("volume-unencrypted", resource, path, { message, hint: "say that it is to be encrypted" })];
  });
}
