/** Pools that get no nodes because of several labels together: what only a catalogue can tell. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { locationOf } from "../../krm/location.ts";
import { describeResource } from "../../krm/resource.ts";
import { formatRequirement } from "../../karpenter/requirement.ts";
import type { Demand } from "../../render/demands.ts";
import type { ExplainedCluster } from "../explain.ts";
import type { PoolExplanation } from "../explanation.ts";

export function poolUnsatisfiable({ explanations, market }: ExplainedCluster): Finding[] {
  const { date } = market.filter.catalogue;
  return explanations.flatMap((explanation) => {
    if (explanation.verdict !== "unsatisfiable" || isSaidElsewhere(explanation)) return [];
    const { conflict, pool } = explanation;
    const at = conflict.findLast(({ from }) => from !== "policy" && from !== "class") ?? conflict.at(-1);
    const { resource, path } = at?.place ?? { resource: pool.wrapper, path: ["spec"] };
    const message = `${describeResource(pool.wrapper)}: no instance type satisfies ${conflict.map(describeDemand).join(" and ")}; the pool gets no new nodes`;
    const hint = `change one of them; \`anp explain\` shows what each rules out (the catalogue is of ${date})`;
    return [findingAt("pool-unsatisfiable", resource, path, { message, hint })];
  });
}

/** One entry by itself, one label and the policy by itself have findings of their own; so has minValues. */
function isSaidElsewhere({ conflict, instanceTypes, requirements }: PoolExplanation): boolean {
  if (instanceTypes.names.length > 0) return true;
  if (conflict.length < 2) return conflict[0]?.from !== "class";
  if (conflict.every(({ from }) => from === "policy")) return true;
  const blocking = new Set(requirements.filter(({ outcome }) => outcome === "empty-blocking").map(({ key }) => key));
  return conflict.every(({ from, requirement: { key } }) => from !== "class" && blocking.has(key));
}

const WHOSE = { policy: "the policy's ", user: "", label: "the node label ", class: "the node class's images " };

/** With its place: the entries that contradict each other stand in files of different people. */
function describeDemand({ from, requirement, place }: Demand): string {
  const where = locationOf(place.resource, place.path);
  return `${WHOSE[from]}\`${formatRequirement(requirement)}\` on ${requirement.key} (${where})`;
}
