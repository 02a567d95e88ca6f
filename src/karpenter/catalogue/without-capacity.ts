/** A catalogue whose cloud has no capacity in some zones, or of some instance types. */
import { ZONE } from "../../model/requirements/label-keys.ts";
import { requirementOf } from "../requirements/requirement.ts";
import type { Catalogue, Offering } from "./catalogue.ts";
import { withReservedCapacity } from "./reserved-capacity.ts";

export interface Shortage {
  readonly zones: readonly string[];
  /** Names of instance types; one `*` in a name stands for any characters. */
  readonly types: readonly string[];
}

/** As after an insufficient capacity error: the offerings stay, so zones of them count for topology spread. */
export function withoutCapacity(catalogue: Catalogue, { zones, types }: Shortage): Catalogue {
  if (zones.length === 0 && types.length === 0) return catalogue;
  const { names, offerings, ...rest } = withReservedCapacity(catalogue);
  const sets = offerings.sets.map((set) => set.map((offering) => outside(offering, zones)));
  const none = sets.map((set) => set.map((offering) => ({ ...offering, available: false })));
  const isOut = names.map((name) => types.some((pattern) => matches(name, pattern)));
  const of = offerings.of.map((set, type) => (isOut[type] === true ? set + sets.length : set));
  return { ...rest, names, offerings: { sets: [...sets, ...none], of } };
}

/** An offering of any zone is one of all others. */
function outside(offering: Offering, zones: readonly string[]): Offering {
  const own = offering.requirements.get(ZONE);
  if (zones.length === 0) return offering;
  if (own !== undefined && !own.complement)
    return [...own.values].every((zone) => zones.includes(zone)) ? { ...offering, available: false } : offering;
  const others = requirementOf({ key: ZONE, operator: "NotIn", values: zones });
  return { ...offering, requirements: new Map([...offering.requirements, [ZONE, others]]) };
}

function matches(name: string, pattern: string): boolean {
  const [start = "", end] = pattern.split("*");
  return end === undefined
    ? name === pattern
    : name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}
