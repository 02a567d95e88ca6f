/** What a pool may launch over a catalogue: instance types, zones and capacity types. */
import { CAPACITY_TYPE, ZONE } from "../../../model/requirements/label-keys.ts";
import { both, isNone, type TypeMask, without, indexesOf } from "../../../karpenter/catalogue/type-mask.ts";
import {
  addRequirements,
  mergedByKey,
  type Requirements,
  compatible,
} from "../../../karpenter/requirements/requirements.ts";
import type { AskedRequirement } from "../../../resolve/pool-requirements.ts";
import { type InstanceTypes, type Remaining, remainingTypes } from "../../explain/remaining-types.ts";
import type { Catalogue, Offering } from "../../../karpenter/catalogue/catalogue.ts";
import { has } from "../../../karpenter/requirements/requirement.ts";

/** A limit of a pool. */
export interface AskedLimit {
  readonly from: "limit";
  /** The types that it allows while the pool has no nodes. */
  readonly types: TypeMask;
}

/** What decides about the instance types of a pool. */
export type Asked = AskedRequirement | AskedLimit;

export function isLimit<L extends AskedLimit>(asked: AskedRequirement | L): asked is L {
  return asked.from === "limit";
}

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

export function offerOf(asked: readonly Asked[], knownTypes: InstanceTypes, named: NamedPlaces): PoolOffer {
  const [limits, demands] = [asked.filter(isLimit), asked.filter((one) => !isLimit(one))];
  const withinLimits = limits.reduce((left, { types }) => both(left, types), knownTypes.filter.all);
  const remaining = remainingTypes(demands, { ...knownTypes, withinLimits });
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

/** @param known possible values for offerings without one */
function placesOffered(
  key: string,
  types: TypeMask,
  asked: Requirements,
  catalogue: Catalogue,
  known: readonly string[],
): ReadonlySet<string> {
  const requirement = asked.get(key);
  const found = new Set<string>();
  for (const offering of offeringsOf(types, catalogue)) {
    if (!isOpenTo(asked, offering, catalogue)) continue;
    for (const value of offering.requirements.get(key)?.values ?? known) {
      if (requirement === undefined || has(requirement, value)) found.add(value);
    }
  }
  return found;
}

/** The available offerings of the types, each once. */
export function offeringsOf(types: TypeMask, { offerings }: Catalogue): Offering[] {
  const sets = new Set(indexesOf(types).map((type) => offerings.of[type]!));
  return [...sets].flatMap((set) => offerings.sets[set]!.filter(({ available }) => available));
}

/** Whether nodes with these requirements may use the offering. */
export function isOpenTo(asked: Requirements, offering: Offering, { wellKnown }: Catalogue): boolean {
  return offering.available && compatible(asked, offering.requirements, wellKnown) === undefined;
}
