/** Volumes that ROSA's admission policies refuse: below 100 GiB, or not encrypted. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf } from "../node-classes.ts";

const LEAST_GIB = 100;

/**
 * All of the wrapper's: it is judged as the user writes it, whatever the policy replaces in it. See
 * docs/upstream/hypershift.md#rosa.
 */
export function rosaVolume(cluster: ExplainedCluster): Finding[] {
  return nodeClassesOf(cluster).flatMap((nodeClass) =>
    (nodeClass.spec.blockDeviceMappings ?? []).flatMap(({ ebs, deviceName }, index) => {
      if (ebs === undefined) return [];
      const finding = (field: string, why: string, hint: string): Finding => {
        const { resource, path } = nodeClass.placeOf(["blockDeviceMappings", index, "ebs", field]);
        const message = `${describeResource(nodeClass.wrapper)}: ROSA's admission policies refuse the volume ${deviceName ?? index}, which ${why}`;
        return findingAt("rosa-volume", resource, path, { message, hint });
      };
      const { volumeSizeGiB, encrypted } = ebs;
      return [
        ...(volumeSizeGiB !== undefined && volumeSizeGiB < LEAST_GIB
          ? [finding("volumeSizeGiB", `has ${volumeSizeGiB} GiB`, `write at least volumeSizeGiB: ${LEAST_GIB}`)]
          : []),
        ...(encrypted === "Encrypted"
          ? []
          : [finding("encrypted", "is not said to be encrypted", "write encrypted: Encrypted")]),
      ];
    }),
  );
}
