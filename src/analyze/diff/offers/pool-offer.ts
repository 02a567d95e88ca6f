/** What a pool may launch over a catalogue: instance types, zones and capacity types. */
import { CAPACITY_TYPE, placesOffered, ZONE } from "./places.ts";
import { isNone, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { addRequirements, mergedByKey, type Requirements } from "../../../karpenter/requirements/requirements.ts";
import type { AskedRequirement } from "../../../resolve/demands.ts";
import { type Market, type Remaining, remainingTypes } from "../../explain/remaining-types.ts";

export interface PoolOffer {
  /** As `anp explain` has it, whether or not the minValues are reached. */
  readonly remaining: Remaining;
  /** Those that it may launch: none where a minValues is out of reach. */
  readonly types: TypeMask;
  /** All that its nodes are launched for: entries, template labels, what the class needs. */
  readonly wanted: Requirements;
  /** Of those that the catalogue or an entry names. */
  readonly zones: ReadonlySet<string>;
  readonly capacityTypes: ReadonlySet<string>;
}

/** Values of zone and capacity type that somebody names, where the catalogue knows none. */
export interface NamedPlaces {
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
}

export function offerOf(demands: readonly AskedRequirement[], market: Market, named: NamedPlaces): PoolOffer {
  const remaining = remainingTypes(demands, market);
  const types = remaining.shortfall.size === 0 ? remaining.types : without(remaining.types, remaining.types);
  const ofClass = mergedByKey(demands.filter(({ from }) => from === "class").map(({ requirement }) => requirement));
  const wanted = addRequirements(remaining.requirements, ofClass);
  const places = (key: string, known: readonly string[]): ReadonlySet<string> =>
    isNone(types) ? NOWHERE : placesOffered(key, types, wanted, market.filter.catalogue, known);
  return {
    remaining,
    types,
    wanted,
    zones: places(ZONE, named.zones),
    capacityTypes: places(CAPACITY_TYPE, named.capacityTypes),
  };
}

const NOWHERE: ReadonlySet<string> = new Set();
