/** Pools for which no instance type is left, where no other finding says so. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { locationOf } from "../../../krm/location.ts";
import { describeResource } from "../../../krm/resource.ts";
import { isNone } from "../../../karpenter/catalogue/type-mask.ts";
import { formatRequirement } from "../../../karpenter/requirements/requirement.ts";
import type { Demand } from "../../../resolve/demands.ts";
import { policyEntries } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import { knownValues } from "../../explain/known-values.ts";
import { isHopeless } from "../../explain/lone-entries.ts";
import { remainingTypes } from "../../explain/remaining-types.ts";

/** Findings of an entry, of one label and of the policy come first. */
export function poolUnsatisfiable(cluster: ExplainedCluster): Finding[] {
  const { explanations, market } = cluster;
  const asOf = market.typesUnknown ? "" : ` (the catalogue is of ${market.filter.catalogue.date})`;
  const blocked = explanations.filter(({ obstacles }) => obstacles.includes("pool-unsatisfiable"));
  if (blocked.length === 0) return [];
  const known = knownValues(market.filter.catalogue);
  const isOfPolicy = isNone(remainingTypes(policyEntries(cluster), market).types);
  const isSaidElsewhere = ({ conflict }: PoolExplanation): boolean => {
    const [first, ...others] = conflict;
    if (isOfPolicy && conflict.every(({ from }) => from === "policy")) return true;
    return others.length === 0 && first?.from !== "class" && isHopeless(first!.requirement, market.filter, known);
  };
  return blocked.flatMap((explanation) => {
    if (isSaidElsewhere(explanation)) return [];
    const { conflict, pool } = explanation;
    const at = conflict.findLast(({ from }) => from !== "policy" && from !== "class") ?? conflict.at(-1);
    const { resource, path } = at?.place ?? { resource: pool.wrapper, path: ["spec"] };
    const message = `${describeResource(pool.wrapper)}: no instance type satisfies ${conflict.map(describeDemand).join(" and ")}; the pool gets no new nodes`;
    const what = conflict.length === 1 ? "change it" : "change one of them";
    const hint = `${what}; \`anp explain\` shows what each rules out${asOf}`;
    return [findingAt("pool-unsatisfiable", resource, path, { message, hint })];
  });
}

const WHOSE = { policy: "the policy's ", user: "", label: "the node label ", class: "the node class's " };

/** With its place: the entries that contradict each other stand in files of different people. */
function describeDemand({ from, requirement, place }: Demand): string {
  const where = locationOf(place.resource, place.path);
  const ofImages = from === "class" && requirement.key === "kubernetes.io/arch";
  const why = from === "class" && !ofImages ? ", which selects no capacity reservation" : "";
  return `${WHOSE[from]}${ofImages ? "images " : ""}\`${formatRequirement(requirement)}\` on ${requirement.key} (${where}${why})`;
}
