/** Pools that refer to a node class that is not among the inputs. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { nearestWord } from "../../../krm/nearest-word.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { providedClasses } from "../node-classes.ts";

/** Karpenter makes no node without it. */
export function nodeClassMissing(cluster: ExplainedCluster): Finding[] {
  const { bundle, pools, mode, provider } = cluster;
  // A folder of pools alone is common where nobody has to wrap them.
  if (mode === "raw" && bundle.nodeClasses.length === 0) return [];
  const given = bundle.nodeClasses.map(({ name }) => name);
  const known = new Set([...providedClasses(cluster), ...given]);
  return pools.flatMap(({ wrapper, nodeClassRef: { kind, name } }) => {
    // Another kind is another provider's, which is a finding already.
    if (provider.kinds?.includes(kind) === false || known.has(name)) return [];
    const message = `${describeResource(wrapper)} refers to the node class ${name}, which is not among the inputs`;
    const nearest = nearestWord(name, [...known], 2);
    const hint =
      nearest === undefined
        ? `add its ${mode === "hosted" ? "OpenshiftEC2NodeClass" : kind}, or check the name`
        : `did you mean ${nearest}?`;
    const path = ["spec", "template", "spec", "nodeClassRef", "name"];
    return [findingAt("node-class-missing", wrapper, path, { message, hint })];
  });
}
