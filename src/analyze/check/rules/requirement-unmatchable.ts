/** Rule: entries that no instance type can meet. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { atoi } from "../../../model/values/int64.ts";
import { formatRequirement, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import { entriesOf, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { knownValues, isReportedByRendering, isUnmatchable } from "../../explain/lone-entries.ts";

/** Such as `Lt 0`, bounds beyond every instance type, or the absence of a label that all types have. */
export function requirementUnmatchable(cluster: ExplainedCluster): Finding[] {
  const { filter } = cluster.knownTypes;
  const known = knownValues(filter.catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { requirement, place } = entry;
    const { key, lte } = requirement;
    if (!isUnmatchable(requirement, filter)) return [];
    if (cluster.pools.length > 0 && isReportedByRendering(requirement, filter)) return [];
    const negative = lte !== undefined && lte < 0n;
    const what = `\`${formatRequirement(requirement)}\` on ${key}`;
    const message = negative
      ? `${subjectOf(entry)}: ${what} matches nothing, because no value is below 0`
      : `${subjectOf(entry)}: ${what} matches no instance type`;
    const hint = rangeOf(requirement, known.get(key) ?? new Set());
    return [findingAt("requirement-unmatchable", place.resource, place.path, { message, hint })];
  });
}

function rangeOf({ key, gte, lte }: Requirement, values: ReadonlySet<string>): string {
  if (gte === undefined && lte === undefined) return `every instance type has ${key}`;
  const numbers = [...values].map(atoi).flatMap(({ value, valid }) => (valid ? [value] : []));
  if (numbers.length === 0) return "remove the entry, or correct the number";
  const [first, ...others] = numbers as [bigint, ...bigint[]];
  const least = others.reduce((a, b) => (a < b ? a : b), first);
  const most = others.reduce((a, b) => (a > b ? a : b), first);
  return `instance types have ${least} to ${most}`;
}
