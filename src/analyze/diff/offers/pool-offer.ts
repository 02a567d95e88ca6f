/** What a pool may launch over a catalogue: instance types, zones and capacity types. */
import { CAPACITY_TYPE, placesOffered, ZONE } from "./places.ts";
import { isNone, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { addRequirements, mergedByKey, type Requirements } from "../../../karpenter/requirements/requirements.ts";
import type { AskedRequirement } from "../../../resolve/pool-requirements.ts";
import { type InstanceTypes, type Remaining, remainingTypes } from "../../explain/remaining-types.ts";

export interface PoolOffer {
  /** As in `anp explain`, even if minValues is not met. */
  readonly remaining: Remaining;
  /** The types that it may launch; none if minValues is not met. */
  readonly types: TypeMask;
  /** All requirements of its nodes: entries, template labels, node class. */
  readonly wanted: Requirements;
  /** Among the zones that the catalogue or an entry names. */
  readonly zones: ReadonlySet<string>;
  readonly capacityTypes: ReadonlySet<string>;
}

/** Zones and capacity types to assume if the catalogue has none. */
export interface NamedPlaces {
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
}

export function offerOf(
  demands: readonly AskedRequirement[],
  knownTypes: InstanceTypes,
  named: NamedPlaces,
): PoolOffer {
  const remaining = remainingTypes(demands, knownTypes);
  const types = remaining.shortfall.size === 0 ? remaining.types : without(remaining.types, remaining.types);
  const ofClass = mergedByKey(demands.filter(({ from }) => from === "class").map(({ requirement }) => requirement));
  const wanted = addRequirements(remaining.requirements, ofClass);
  const places = (key: string, known: readonly string[]): ReadonlySet<string> =>
    isNone(types) ? NOWHERE : placesOffered(key, types, wanted, knownTypes.filter.catalogue, known);
  return {
    remaining,
    types,
    wanted,
    zones: places(ZONE, named.zones),
    capacityTypes: places(CAPACITY_TYPE, named.capacityTypes),
  };
}

const NOWHERE: ReadonlySet<string> = new Set();
