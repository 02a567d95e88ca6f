/** The prices of a pool's remaining instance types, and the cost of each of its entries. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import type { Catalogue, PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import { onDemandOnly, type Price, type PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import {
  countTypes,
  haveCommon,
  indexesOf,
  isNone,
  type TypeMask,
  without,
} from "../../karpenter/catalogue/type-mask.ts";
import { has, isEmpty } from "../../karpenter/requirements/requirement.ts";
import { mergedByKey, type Requirements } from "../../karpenter/requirements/requirements.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import { type DemandMasks, type InstanceTypes, type Remaining, remainingTypes } from "./remaining-types.ts";

export interface PoolPrices extends PriceSpreads {
  /** The on-demand prices of a pool that takes only Spot without a price, which Spot never exceeds. */
  readonly atMost: Spread | undefined;
  /** Remaining instance types without a price in the zones and capacity types of the pool. */
  readonly unpriced: readonly string[];
  /**
   * For each demand the cheapest type that the pool could launch without it, if that is cheaper than its own cheapest.
   * Computed on demand.
   */
  readonly cheaper: () => ReadonlyMap<PoolRequirement, Price>;
}

export interface PriceSpreads {
  readonly origin: PriceOrigin;
  /** Undefined if no remaining type has a price. */
  readonly perHour: Spread | undefined;
  /** Undefined also if their vCPUs are unknown. */
  readonly perVcpu: Spread | undefined;
}

export interface Spread {
  readonly cheapest: Price;
  /** The middle one; of an even number the cheaper of the two. */
  readonly median: Price;
  readonly dearest: Price;
}

interface PricedInstanceTypes extends InstanceTypes {
  readonly prices: PriceIndex;
}

/** Undefined without prices, or if no type is left. */
export function poolPrices(
  demands: readonly PoolRequirement[],
  masks: () => DemandMasks,
  remaining: Remaining,
  knownTypes: InstanceTypes,
): PoolPrices | undefined {
  const { types } = remaining;
  const { prices, filter } = knownTypes;
  if (prices === undefined || isNone(types)) return undefined;
  const asked = askedBy(demands);
  const { perHour, perVcpu } = prices.prices(types, asked);
  const [cheapest] = perHour;
  return {
    origin: prices.origin,
    atMost: spotBound(types, asked, prices),
    perHour: spreadOf(perHour),
    perVcpu: spreadOf(perVcpu),
    unpriced: perHour.length === countTypes(types) ? [] : unpriced(types, perHour, filter.catalogue),
    cheaper: () =>
      cheapest === undefined
        ? new Map()
        : cheaperOf(demands, masks(), remaining, { ...knownTypes, prices }, cheapest.perHour),
  };
}

function takesSpot(asked: Requirements): boolean {
  const capacity = asked.get(CAPACITY_TYPE);
  return capacity !== undefined && has(capacity, "spot");
}

/**
 * The prices on demand of a pool that takes only Spot without a price: EC2 launches no Spot above them
 * (docs/upstream/karpenter.md#prices).
 */
export function spotBound(types: TypeMask, asked: Requirements, { prices, cheapest }: PriceIndex): Spread | undefined {
  if (!takesSpot(asked) || cheapest(types, asked) !== undefined) return undefined;
  return spreadOf(prices(types, onDemandOnly(asked)).perHour);
}

function unpriced(types: TypeMask, priced: readonly Price[], { names }: Catalogue): string[] {
  const known = new Set(priced.map(({ type }) => type));
  return indexesOf(types)
    .map((type) => names[type]!)
    .filter((name) => !known.has(name));
}

/** @param asked the requirements of the pool, which select the offerings with a price */
export function priceSpreads(
  types: TypeMask,
  asked: Requirements,
  { prices, origin }: PriceIndex,
): PriceSpreads & { readonly priced: number } {
  const { perHour, perVcpu } = prices(types, asked);
  return { origin, perHour: spreadOf(perHour), perVcpu: spreadOf(perVcpu), priced: perHour.length };
}

function spreadOf(sorted: readonly Price[]): Spread | undefined {
  if (sorted.length === 0) return undefined;
  return { cheapest: sorted[0]!, median: sorted[(sorted.length - 1) >> 1]!, dearest: sorted.at(-1)! };
}

function cheaperOf(
  demands: readonly PoolRequirement[],
  masks: DemandMasks,
  remaining: Remaining,
  knownTypes: PricedInstanceTypes,
  cheapest: number,
): ReadonlyMap<PoolRequirement, Price> {
  const asked = candidates(demands, masks, remaining, knownTypes.prices.below(cheapest));
  return new Map(
    asked.flatMap((demand): [PoolRequirement, Price][] => {
      const found = cheapestOf(
        demands.filter((other) => other !== demand),
        knownTypes,
      );
      return found !== undefined && found.perHour < cheapest ? [[demand, found]] : [];
    }),
  );
}

/** Memoized, because pools of one policy have similar demands. */
function cheapestOf(demands: readonly PoolRequirement[], knownTypes: PricedInstanceTypes): Price | undefined {
  const known = answers(knownTypes.prices);
  const lines = demands.map(({ from, requirement }) => `${from} ${identityOf(requirement)}`);
  const { isStatic, withinLimits = "" } = knownTypes;
  const question = [String(isStatic), String(withinLimits), ...lines].join("\n");
  if (!known.has(question)) {
    known.set(question, knownTypes.prices.cheapest(remainingTypes(demands, knownTypes).types, askedBy(demands)));
  }
  return known.get(question);
}

/** One map for each price index, which belongs to one catalogue. */
const answers = memoizeByObject((_prices: PriceIndex) => new Map<string, Price | undefined>());

/**
 * The demands that may exclude a cheaper type, by masks that exist already, because there may be thousands of pools.
 * After a contradiction the masks of single entries are not conclusive, so all demands are candidates then.
 */
function candidates(
  demands: readonly PoolRequirement[],
  { others, every }: DemandMasks,
  { types, requirements }: Remaining,
  cheaper: TypeMask,
): readonly PoolRequirement[] {
  const mayMislead = !isNone(without(types, every)) || [...requirements.values()].some(isEmpty);
  return mayMislead ? demands : demands.filter((_demand, index) => haveCommon(others[index]!, cheaper));
}

function askedBy(demands: readonly PoolRequirement[]): Requirements {
  return mergedByKey(demands.map(({ requirement }) => requirement));
}
