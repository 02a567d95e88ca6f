/** Rule: node classes that pin an OpenShift version too far from the control plane's. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { nodeClassesOf } from "../checked-classes.ts";
import { controlPlaneVersion, minorOf, minorText } from "../control-plane.ts";

const MOST_BEHIND = 2;

/** See docs/upstream/hypershift.md#versions. Without the control plane's version nothing is found. */
export function rosaVersion(cluster: ExplainedCluster): Finding[] {
  const version = controlPlaneVersion(cluster);
  const newest = version === undefined ? undefined : minorOf(version);
  if (newest === undefined) return [];
  return nodeClassesOf(cluster).flatMap((nodeClass) => {
    const { wrapper, spec } = nodeClass;
    const minor = spec.version === undefined ? undefined : minorOf(spec.version);
    if (minor === undefined) return [];
    const { resource, path } = nodeClass.placeOf(["version"]);
    const found = (why: string, hint: string): Finding[] => [
      findingAt("rosa-version", resource, path, {
        message: `${describeResource(wrapper)} pins version ${spec.version}, ${why}`,
        hint,
      }),
    ];
    if (minor > newest)
      return found(
        `newer than the control plane (${version}): HyperShift refuses it, so a new class gets no nodes and those of an existing class keep their version`,
        `upgrade the control plane first, or pin a version of ${minorText(newest)} at most`,
      );
    const behind = newest - minor;
    if (behind <= MOST_BEHIND) return [];
    return found(
      `${behind} minor versions behind the control plane (${version}): ROSA supports ${MOST_BEHIND} at most`,
      `pin a version of ${minorText(newest - MOST_BEHIND)} or newer: Karpenter then replaces the nodes of the class`,
    );
  });
}
