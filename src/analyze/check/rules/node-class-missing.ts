/** Pools that refer to a node class that is not among the inputs. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { nearestWord } from "../../../krm/nearest-word.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { PROVIDED_CLASS } from "../node-classes.ts";

/** Karpenter makes no node without it. */
export function nodeClassMissing({ bundle, pools }: ExplainedCluster): Finding[] {
  const given = bundle.nodeClasses.map(({ name }) => name);
  const known = new Set([PROVIDED_CLASS, ...given]);
  return pools.flatMap(({ wrapper, nodeClassRef: { kind, name } }) => {
    if (kind !== "EC2NodeClass" || known.has(name)) return [];
    const message = `${describeResource(wrapper)} refers to the node class ${name}, which is not among the inputs`;
    const nearest = nearestWord(name, [...known], 2);
    const hint =
      nearest === undefined ? "add its OpenshiftEC2NodeClass, or check the name" : `did you mean ${nearest}?`;
    const path = ["spec", "template", "spec", "nodeClassRef", "name"];
    return [findingAt("node-class-missing", wrapper, path, { message, hint })];
  });
}
