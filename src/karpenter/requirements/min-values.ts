/** Checks Karpenter's minValues: finds the keys with too few values among the instance types. */
import { KNOWN_VALUES } from "../../model/requirements/labels.ts";
import { has, isEmpty, type Requirement } from "./requirement.ts";
import type { Requirements } from "./requirements.ts";

/**
 * The values of an instance type for a label key; none if it lacks the label. Undefined if unknown: unknown values
 * exclude nothing, so any minimum may be met.
 */
export type AdvertisedValues = (key: string) => readonly string[] | undefined;

export interface MinValuesResult {
  /** How many of the types, in order, are needed to reach every minimum; all of them if a minimum is not reached. */
  readonly needed: number;
  /** The keys with an unmet minimum, and their number of values. */
  readonly shortfall: ReadonlyMap<string, number>;
}

/**
 * An empty list of types counts as satisfied, as in Karpenter; other checks report it. The rules are those of
 * docs/upstream/karpenter.md#minvalues.
 *
 * @param onlyAllowed count only values that the requirement allows, as Karpenter does since 1.15
 */
export function minValuesOf(
  types: readonly AdvertisedValues[],
  requirements: Requirements,
  onlyAllowed: boolean,
): MinValuesResult {
  const open = new Map(
    [...requirements.values()]
      .filter((requirement) => requirement.minValues !== undefined)
      .map((requirement) => [requirement, new Set<string>()]),
  );
  if (open.size === 0) return { needed: 0, shortfall: new Map() };
  for (const [index, advertised] of types.entries()) {
    for (const [requirement, found] of open) {
      const values = advertised(requirement.key) ?? possibleValues(requirement, onlyAllowed);
      for (const value of values ?? []) {
        if (!onlyAllowed || has(requirement, value)) found.add(value);
      }
      if (values === undefined || found.size >= requirement.minValues!) open.delete(requirement);
    }
    if (open.size === 0) return { needed: index + 1, shortfall: new Map() };
  }
  if (types.length === 0) return { needed: 0, shortfall: new Map() };
  return { needed: types.length, shortfall: new Map([...open].map(([{ key }, found]) => [key, found.size])) };
}

/** All values that an unknown label could have on a matching type; undefined if unbounded. */
function possibleValues(requirement: Requirement, onlyAllowed: boolean): readonly string[] | undefined {
  if (isEmpty(requirement)) return [];
  if (onlyAllowed && !requirement.complement) return [...requirement.values];
  return KNOWN_VALUES[requirement.key];
}
