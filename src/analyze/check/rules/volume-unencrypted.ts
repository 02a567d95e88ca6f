/** Rules: volumes without encryption, and root volumes below the built-in default. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { volumesOf } from "../checked-classes.ts";

/** Without it, the default of the AWS account applies. */
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

/** The built-in default; that of HyperShift's operator is 120 (docs/design.md#root-volume). */
const ENOUGH_GIB = 75;

/** The operating system shares the root volume with all images and logs of pods. */
export function rootVolumeSmall(cluster: ExplainedCluster): Finding[] {
  // Other operating systems have smaller images.
  if (cluster.mode === "raw") return [];
  return volumesOf(cluster).flatMap(({ root, gib, placeOf }) => {
    if (!root || gib === undefined || gib >= ENOUGH_GIB) return [];
    const { resource, path } = placeOf("size");
    const message = `${describeResource(resource)}: a root volume of ${gib}Gi is small for the operating system, images and logs`;
    const hint = `anp's default is ${ENOUGH_GIB}Gi, HyperShift's 120Gi`;
    return [findingAt("root-volume-small", resource, path, { message, hint })];
  });
}
