/** Rules: pools without their node class among the inputs, and node classes without a pool. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { nearestAmong } from "../../../krm/values/nearest-word.ts";
import { describeResource, type Resource } from "../../../krm/places/resource.ts";
import { isUnknownAt } from "../../../model/objects/placeholders.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { providedClasses, referredClasses } from "../checked-classes.ts";

/** Karpenter launches no node without its node class. */
export function nodeClassMissing(cluster: ExplainedCluster, { isLive }: { readonly isLive: boolean }): Finding[] {
  const { bundle, pools, mode, provider } = cluster;
  // A folder with only raw pools is common, but a cluster has every class.
  if (!isLive && mode === "raw" && bundle.nodeClasses.length === 0) return [];
  const given = bundle.nodeClasses.map(({ name }) => name);
  const known = new Set([...providedClasses(cluster), ...given]);
  const nearest = nearestAmong([...known]);
  // A class whose name is unknown may be any.
  if (bundle.nodeClasses.some(hasUnknownName)) return [];
  return pools.flatMap(({ wrapper, nodeClassRef: { kind, name } }) => {
    // A kind of another provider has a finding already.
    if (provider.kinds?.includes(kind) === false || known.has(name)) return [];
    const message = `${describeResource(wrapper)} refers to the node class ${name}, which ${isLive ? "the cluster does not have" : "is not among the inputs"}`;
    const meant = nearest(name);
    const hint =
      meant === undefined
        ? `add its ${mode !== "raw" ? "OpenshiftEC2NodeClass" : kind}, or check the name`
        : `did you mean ${meant}?`;
    return [findingAt("node-class-missing", wrapper, CLASS_NAME, { message, hint })];
  });
}

const CLASS_NAME = ["spec", "template", "spec", "nodeClassRef", "name"];

function hasUnknownName(nodeClass: Resource): boolean {
  return isUnknownAt(nodeClass, ["metadata", "name"]);
}

/** Only if there are pools. */
export function nodeClassUnused(cluster: ExplainedCluster): Finding[] {
  const { nodeClasses, nodePools } = cluster.bundle;
  if (nodePools.length === 0 || nodePools.some((pool) => isUnknownAt(pool, CLASS_NAME))) return [];
  const provided = providedClasses(cluster);
  const used = referredClasses(cluster);
  return nodeClasses
    .filter(({ name }) => !provided.includes(name) && !used.has(name))
    .map((wrapper) => {
      const message = `no pool refers to ${describeResource(wrapper)}`;
      const hint = "refer to it in spec.template.spec.nodeClassRef of a pool, or remove it";
      return findingAt("node-class-unused", wrapper, ["metadata", "name"], { message, hint });
    });
}
