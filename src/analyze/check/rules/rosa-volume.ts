/** Rule: volumes that ROSA's admission policies refuse: below 100 GiB, or not encrypted. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { checkedClasses } from "../checked-classes.ts";

const LEAST_GIB = 100;

/**
 * Checks volumes as the user writes them, because ROSA checks them before the policy replaces any. See
 * docs/upstream/hypershift.md#rosa.
 */
export function rosaVolume(cluster: ExplainedCluster): Finding[] {
  const wanted =
    cluster.mode !== "raw"
      ? { size: `volumeSizeGiB: ${LEAST_GIB}`, encrypted: "encrypted: Encrypted" }
      : { size: `volumeSize: ${LEAST_GIB}Gi`, encrypted: "encrypted: true" };
  return checkedClasses(cluster).flatMap(({ resource: nodeClass, volumes }) =>
    volumes.flatMap(({ name, gib, encrypted, placeOf }) => {
      const finding = (field: "size" | "encrypted", why: string, hint: string): Finding => {
        const { resource, path } = placeOf(field);
        const message = `${describeResource(nodeClass)}: ROSA's admission policies refuse the volume ${name}, which ${why}`;
        return findingAt("rosa-volume", resource, path, { message, hint });
      };
      return [
        ...(gib !== undefined && gib < LEAST_GIB
          ? [finding("size", `has ${gib} GiB`, `set at least ${wanted.size}`)]
          : []),
        ...(encrypted === true ? [] : [finding("encrypted", "is not marked as encrypted", `set ${wanted.encrypted}`)]),
      ];
    }),
  );
}
