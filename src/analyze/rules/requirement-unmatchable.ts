/** Entries that nothing can meet: `Lt 0`, bounds beyond every instance type, the absence of a label that all have. */
import { type Finding, findingAt } from "../../krm/finding.ts";
import { atoi } from "../../karpenter/int64.ts";
import { labelPresence } from "../../karpenter/label-presence.ts";
import { formatRequirement, isEmpty, operatorOf, type Requirement } from "../../karpenter/requirement.ts";
import { isNone } from "../../karpenter/type-mask.ts";
import { entriesOf, subjectOf } from "../entries.ts";
import type { ExplainedCluster } from "../explain.ts";
import { knownValues } from "../known-values.ts";

export function requirementUnmatchable(cluster: ExplainedCluster): Finding[] {
  const { filter } = cluster.market;
  const known = knownValues(filter.catalogue);
  return entriesOf(cluster).flatMap((entry) => {
    const { requirement, place } = entry;
    // Unknown values have a finding of their own.
    if (operatorOf(requirement) === "In") return [];
    const { key, lte } = requirement;
    const negative = lte !== undefined && lte < 0n;
    if (!negative && !isNone(filter.compatible(new Map([[key, requirement]])))) return [];
    // Of a pool that is blocked, or that Karpenter would not survive, rendering says so.
    const presence = labelPresence(key, filter.catalogue);
    if (cluster.pools.length > 0 && (presence === "custom" || (presence === "always" && isEmpty(requirement))))
      return [];
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
  if (numbers.length === 0) return "drop the entry, or correct the number";
  const [first, ...others] = numbers as [bigint, ...bigint[]];
  const least = others.reduce((a, b) => (a < b ? a : b), first);
  const most = others.reduce((a, b) => (a > b ? a : b), first);
  return `instance types have ${least} to ${most}`;
}
