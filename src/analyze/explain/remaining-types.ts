/** The instance types that a list of demands leaves, as Karpenter merges them by key. */
import { minValuesOf } from "../../karpenter/requirements/min-values.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import {
  addRequirements,
  goTogether,
  mergedByKey,
  type Requirements,
} from "../../karpenter/requirements/requirements.ts";
import { advertisedValues, type TypeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { indexesOf, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import type { PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import type { Profile } from "../../model/profile.ts";
import { refusedKeys } from "./refused-claim.ts";
import type { AskedRequirement } from "../../resolve/demands.ts";

export interface Remaining {
  /** What the NodePool itself asks for. */
  readonly requirements: Requirements;
  readonly types: TypeMask;
  /** Keys whose minValues is out of reach, with the number of values that are there. */
  readonly shortfall: ReadonlyMap<string, number>;
}

/** The instance types that can be asked about, and the Karpenter that asks. */
export interface Market {
  readonly filter: TypeFilter;
  readonly profile: Profile;
  /** Nobody here knows the provider's types: the only one in the filter is any, and can be nothing that contradicts itself. */
  readonly typesUnknown?: true;
  /** What the types cost, where somebody asks. */
  readonly prices?: PriceIndex | undefined;
}

export function remainingTypes(demands: readonly AskedRequirement[], market: Market): Remaining {
  const requirements = mergedByKey(demands.filter((demand) => !isOfClass(demand)).map(requirementOfDemand));
  const ofClass = mergedByKey(demands.filter(isOfClass).map(requirementOfDemand));
  const types = typesOf(requirements, ofClass, market.filter);
  const refused = refusedKeys(types, requirements, ofClass, market.filter.catalogue);
  const shortfall = shortfallOf(types, requirements, ofClass, market);
  return { requirements, types, shortfall: new Map([...refused, ...shortfall]) };
}

/**
 * What a node class needs of its nodes narrows what a pool may ask for; a label that its nodes lack cannot be asked for.
 */
export function typesOf(requirements: Requirements, ofClass: Requirements, filter: TypeFilter): TypeMask {
  const apart = [...ofClass].some(([key, needed]) => {
    const asked = requirements.get(key);
    return asked !== undefined && !goTogether(needed, asked);
  });
  return apart ? without(filter.all, filter.all) : filter.compatible(addRequirements(requirements, ofClass));
}

/** Keys whose minValues is out of reach among these instance types, with the number of values that are there. */
export function shortfallOf(
  types: TypeMask,
  requirements: Requirements,
  ofClass: Requirements,
  { filter, profile }: Market,
): Remaining["shortfall"] {
  if (![...requirements.values()].some(({ minValues }) => minValues !== undefined)) return new Map();
  const advertised = indexesOf(types).map((type) => (key: string) => {
    const needed = ofClass.get(key);
    const values = advertisedValues(filter.catalogue, type, key);
    return needed === undefined ? values : (values ?? [...needed.values]).filter((value) => has(needed, value));
  });
  return minValuesOf(advertised, requirements, profile === "karpenter-1.15").shortfall;
}

function isOfClass({ from }: AskedRequirement): boolean {
  return from === "class";
}

function requirementOfDemand({ requirement }: AskedRequirement) {
  return requirement;
}
