/** Checks of a single entry against the values that a catalogue has for its label. */
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { isEmpty, operatorOf, type Requirement } from "../../karpenter/requirements/requirement.ts";
import type { TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import { type Catalogue, INSTANCE_TYPE, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";

export type KnownValues = ReadonlyMap<string, ReadonlySet<string>>;

/** One set for each key. A key is left out if the catalogue may lack some of its values. */
export const knownValues = memoizeByObject(({ labels, offerings }: Catalogue): KnownValues => {
  const known = new Map<string, ReadonlySet<string>>();
  for (const [key, { sets, of }] of labels) {
    if (!of.includes(UNKNOWN)) known.set(key, new Set(sets.flatMap(({ values }) => [...values])));
  }
  const offered = offerings.sets.flat();
  for (const key of new Set(offered.flatMap(({ requirements }) => [...requirements.keys()]))) {
    const asked = offered.map(({ requirements }) => requirements.get(key));
    // An offering without the key may have any value.
    if (asked.includes(undefined)) continue;
    known.set(key, new Set(asked.flatMap((requirement) => [...(requirement?.values ?? [])])));
  }
  // Karpenter compares with these values. No catalogue lists reserved capacity.
  for (const [key, values] of Object.entries(KNOWN_VALUES)) known.set(key, new Set(values));
  return known;
});

/** The values of a requirement that the catalogue lacks, although it should have them. */
export function unknownValues({ key, values }: Requirement, known: KnownValues): string[] {
  const ofKey = known.get(key);
  if (ofKey === undefined) return [];
  const unknown = [...values].filter((value) => !ofKey.has(value));
  // The policy of a fleet lists zones of all its regions, so zones of other regions are not reported.
  return key === "topology.kubernetes.io/zone" ? unknown.filter((zone) => isOfRegions(zone, ofKey)) : unknown;
}

/** Whether a value is of an instance type of which the catalogue has only the name. */
export function isOfNamesOnly({ namesOnly }: Catalogue, key: string, value: string): boolean {
  if (namesOnly === undefined) return false;
  if (key === INSTANCE_TYPE) return namesOnly.has(value);
  return key.endsWith("/instance-family") && [...namesOnly].some((name) => name.startsWith(`${value}.`));
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
