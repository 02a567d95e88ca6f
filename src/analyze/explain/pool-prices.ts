/** What the instance types that are left to a pool cost, and what each of its entries costs it. */
import type { Catalogue, PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { oncePerObject } from "../../model/once.ts";
import {
  countTypes,
  haveCommon,
  indexesOf,
  isNone,
  type TypeMask,
  without,
} from "../../karpenter/catalogue/type-mask.ts";
import { isEmpty } from "../../karpenter/requirements/requirement.ts";
import { mergedByKey, type Requirements } from "../../karpenter/requirements/requirements.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { DemandMasks } from "./demand-masks.ts";
import { type Market, type Remaining, remainingTypes } from "./remaining-types.ts";

export interface PoolPrices extends PriceSpreads {
  /** Instance types that are left and have no price where the pool may launch them. */
  readonly unpriced: readonly string[];
  /**
   * By demand, the cheapest that the pool could launch without it, where that is cheaper than the cheapest it can;
   * worked out for who asks.
   */
  readonly cheaper: () => ReadonlyMap<Demand, Price>;
}

export interface PriceSpreads {
  readonly origin: PriceOrigin;
  /** Undefined where no type that is left has a price. */
  readonly perHour: Spread | undefined;
  /** Undefined as well where nobody knows how many vCPUs they have. */
  readonly perVcpu: Spread | undefined;
}

export interface Spread {
  readonly cheapest: Price;
  /** The one in the middle; of an even number the cheaper of both. */
  readonly median: Price;
  readonly dearest: Price;
}

interface PricedMarket extends Market {
  readonly prices: PriceIndex;
}

/** Undefined where nobody asks for prices or knows any, and where no type is left. */
export function poolPrices(
  demands: readonly Demand[],
  masks: () => DemandMasks,
  remaining: Remaining,
  market: Market,
): PoolPrices | undefined {
  const { types } = remaining;
  const { prices, filter } = market;
  if (prices === undefined || isNone(types)) return undefined;
  const { perHour, perVcpu } = prices.prices(types, askedBy(demands));
  const [cheapest] = perHour;
  return {
    origin: prices.origin,
    perHour: spreadOf(perHour),
    perVcpu: spreadOf(perVcpu),
    unpriced: perHour.length === countTypes(types) ? [] : unpriced(types, perHour, filter.catalogue),
    cheaper: () =>
      cheapest === undefined
        ? new Map()
        : cheaperOf(demands, masks(), remaining, { ...market, prices }, cheapest.perHour),
  };
}

function unpriced(types: TypeMask, priced: readonly Price[], { names }: Catalogue): string[] {
  const known = new Set(priced.map(({ type }) => type));
  return indexesOf(types)
    .map((type) => names[type]!)
    .filter((name) => !known.has(name));
}

/** @param asked what the pool asks for: a type counts where it may have it */
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
  demands: readonly Demand[],
  masks: DemandMasks,
  remaining: Remaining,
  market: PricedMarket,
  cheapest: number,
): ReadonlyMap<Demand, Price> {
  const asked = suspects(demands, masks, remaining, market.prices.below(cheapest));
  return new Map(
    asked.flatMap((demand): [Demand, Price][] => {
      const found = cheapestOf(
        demands.filter((other) => other !== demand),
        market,
      );
      return found !== undefined && found.perHour < cheapest ? [[demand, found]] : [];
    }),
  );
}

/** Pools of one policy ask much the same. */
function cheapestOf(demands: readonly Demand[], market: PricedMarket): Price | undefined {
  const known = answers(market.prices);
  const question = demands.map(({ from, requirement }) => `${from} ${identityOf(requirement)}`).join("\n");
  if (!known.has(question)) {
    known.set(question, market.prices.cheapest(remainingTypes(demands, market).types, askedBy(demands)));
  }
  return known.get(question);
}

/** Of one index, which is of one catalogue. */
const answers = oncePerObject((_prices: PriceIndex) => new Map<string, Price | undefined>());

/**
 * The demands without which something cheaper may come, found by masks that are there already: thousands of pools are
 * asked. What passes a contradiction passes none of its entries by itself, so then each of them may be one.
 */
function suspects(
  demands: readonly Demand[],
  { others, every }: DemandMasks,
  { types, requirements }: Remaining,
  cheaper: TypeMask,
): readonly Demand[] {
  const mayMislead = !isNone(without(types, every)) || [...requirements.values()].some(isEmpty);
  return mayMislead ? demands : demands.filter((_demand, index) => haveCommon(others[index]!, cheaper));
}

function askedBy(demands: readonly Demand[]): Requirements {
  return mergedByKey(demands.map(({ requirement }) => requirement));
}
