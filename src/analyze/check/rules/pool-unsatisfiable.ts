/** Rule: pools without any remaining instance type, if no other finding reports it. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { locationOf } from "../../../krm/places/location.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import { isNone } from "../../../karpenter/catalogue/type-mask.ts";
import { formatRequirement } from "../../../karpenter/requirements/requirement.ts";
import type { PoolRequirement } from "../../../resolve/pool-requirements.ts";
import { typesOfPolicy } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import { knownValues, isHopeless } from "../../explain/lone-entries.ts";

/** Findings about an entry, a label or the policy take precedence. */
export function poolUnsatisfiable(cluster: ExplainedCluster): Finding[] {
  const { explanations, knownTypes } = cluster;
  const asOf = knownTypes.typesUnknown ? "" : ` (the catalogue is of ${knownTypes.filter.catalogue.date})`;
  const blocked = explanations.filter(({ obstacles }) => obstacles.includes("pool-unsatisfiable"));
  if (blocked.length === 0) return [];
  const known = knownValues(knownTypes.filter.catalogue);
  const isOfPolicy = isNone(typesOfPolicy(cluster).types);
  const isReportedElsewhere = ({ conflict }: PoolExplanation): boolean => {
    const [first, ...others] = conflict;
    if (isOfPolicy && conflict.every(({ from }) => from === "policy")) return true;
    return others.length === 0 && first?.from !== "class" && isHopeless(first!.requirement, knownTypes.filter, known);
  };
  return blocked.flatMap((explanation) => {
    if (isReportedElsewhere(explanation)) return [];
    const { conflict, pool } = explanation;
    const at = conflict.findLast(({ from }) => from !== "policy" && from !== "class") ?? conflict.at(-1);
    const { resource, path } = at?.place ?? { resource: pool.wrapper, path: ["spec"] };
    const message = `${describeResource(pool.wrapper)}: no instance type satisfies ${conflict.map(describeDemand).join(" and ")}; the pool gets no new nodes`;
    const what = conflict.length === 1 ? "change it" : "change one of them";
    const hint = `${what}; \`anp explain\` shows what each rules out${asOf}`;
    return [findingAt("pool-unsatisfiable", resource, path, { message, hint })];
  });
}

const SOURCES = { policy: "the policy's ", user: "", label: "the node label ", class: "the node class's " };

/** With its place, because contradicting entries may be in files of different owners. */
function describeDemand({ from, requirement, place }: PoolRequirement): string {
  const where = locationOf(place.resource, place.path);
  const ofImages = from === "class" && requirement.key === "kubernetes.io/arch";
  const ofReservations = from === "class" && requirement.key === "karpenter.sh/capacity-type";
  const why = ofReservations ? ", which selects no capacity reservation" : "";
  return `${SOURCES[from]}${ofImages ? "images " : ""}\`${formatRequirement(requirement)}\` on ${requirement.key} (${where}${why})`;
}
