/** Rule: root volumes below the built-in default. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { volumesOf } from "../checked-classes.ts";

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
