/** Rule: node classes that no pool refers to, if there are pools. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { providedClasses, referredClasses } from "../checked-classes.ts";

export function nodeClassUnused(cluster: ExplainedCluster): Finding[] {
  const { nodeClasses, nodePools } = cluster.bundle;
  if (nodePools.length === 0) return [];
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
