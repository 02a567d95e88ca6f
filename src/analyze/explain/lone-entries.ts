/** What an entry comes to by itself: values that nothing has, and whether anything meets it. */
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { isEmpty, operatorOf, type Requirement } from "../../karpenter/requirements/requirement.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import type { KnownValues } from "./known-values.ts";

/** Those of `values` that the catalogue would know. */
export function unknownValues({ key, values }: Requirement, known: KnownValues): string[] {
  const ofKey = known.get(key);
  if (ofKey === undefined) return [];
  const unknown = [...values].filter((value) => !ofKey.has(value));
  // A fleet's policy lists the zones of all its regions.
  return key === "topology.kubernetes.io/zone" ? unknown.filter((zone) => isOfRegions(zone, ofKey)) : unknown;
}

function isOfRegions(zone: string, known: ReadonlySet<string>): boolean {
  const region = regionOf(zone);
  return region === undefined || [...known].some((other) => regionOf(other) === region);
}

function regionOf(zone: string): string | undefined {
  return /^[a-z]+(-[a-z]+)+-\d+/.exec(zone)?.[0];
}

/** Of another operator than In, whose values are looked at one by one. */
export function isUnmatchable(requirement: Requirement, filter: TypeFilter): boolean {
  const { key, lte } = requirement;
  if (operatorOf(requirement) === "In") return false;
  return (lte !== undefined && lte < 0n) || isNone(filter.compatible(new Map([[key, requirement]])));
}

/** Whether rendering says it of each pool: it is blocked, or Karpenter would not survive it. */
export function isToldByRendering(requirement: Requirement, { catalogue }: TypeFilter): boolean {
  const presence = labelPresence(requirement.key, catalogue);
  return presence === "custom" || (presence === "always" && isEmpty(requirement));
}

/** Whether `value-unknown` or `requirement-unmatchable` says that it leaves no instance type. */
export function isHopeless(requirement: Requirement, filter: TypeFilter, known: KnownValues): boolean {
  return operatorOf(requirement) === "In"
    ? unknownValues(requirement, known).length === requirement.values.size
    : isUnmatchable(requirement, filter) && !isToldByRendering(requirement, filter);
}
