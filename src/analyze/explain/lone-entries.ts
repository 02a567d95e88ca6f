/** Checks of a single entry: unknown values, and whether any instance type meets it. */
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { isEmpty, operatorOf, type Requirement } from "../../karpenter/requirements/requirement.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import type { KnownValues } from "./known-values.ts";

/** The values of a requirement that the catalogue lacks, although it should have them. */
export function unknownValues({ key, values }: Requirement, known: KnownValues): string[] {
  const ofKey = known.get(key);
  if (ofKey === undefined) return [];
  const unknown = [...values].filter((value) => !ofKey.has(value));
  // The policy of a fleet lists zones of all its regions, so zones of other regions are not reported.
  return key === "topology.kubernetes.io/zone" ? unknown.filter((zone) => isOfRegions(zone, ofKey)) : unknown;
}

function isOfRegions(zone: string, known: ReadonlySet<string>): boolean {
  const region = regionOf(zone);
  return region === undefined || [...known].some((other) => regionOf(other) === region);
}

function regionOf(zone: string): string | undefined {
  return /^[a-z]+(-[a-z]+)+-\d+/.exec(zone)?.[0];
}

/** Whether no instance type meets an entry with another operator than In. The values of In are checked one by one. */
export function isUnmatchable(requirement: Requirement, filter: TypeFilter): boolean {
  const { key, lte } = requirement;
  if (operatorOf(requirement) === "In") return false;
  return (lte !== undefined && lte < 0n) || isNone(filter.compatible(new Map([[key, requirement]])));
}

/** Whether rendering reports the entry for each pool, because it blocks the pool or would crash Karpenter. */
export function isReportedByRendering(requirement: Requirement, { catalogue }: TypeFilter): boolean {
  const presence = labelPresence(requirement.key, catalogue);
  return presence === "custom" || (presence === "always" && isEmpty(requirement));
}

/** Whether `value-unknown` or `requirement-unmatchable` reports that the entry leaves no instance type. */
export function isHopeless(requirement: Requirement, filter: TypeFilter, known: KnownValues): boolean {
  return operatorOf(requirement) === "In"
    ? unknownValues(requirement, known).length === requirement.values.size
    : isUnmatchable(requirement, filter) && !isReportedByRendering(requirement, filter);
}
