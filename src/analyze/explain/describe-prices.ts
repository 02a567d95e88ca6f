/** The prices of a pool as plain data for reports. */
import type { PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceOrder } from "../../karpenter/catalogue/price-index.ts";
import { PRICE_DIGITS } from "../../model/money.ts";
import { type DescribedDemand, describeDemand } from "./describe-demand.ts";
import type { PoolPrices, PriceSpreads, Spread } from "./pool-prices.ts";

export interface DescribedOrigin extends Omit<PriceOrigin, "region"> {
  readonly region: string | null;
}

export type DescribedSpreads = Readonly<Record<PriceOrder, DescribedSpread | null>>;

/** Of `anp explain -o json`, schemaVersion 1. */
export interface DescribedPrices extends DescribedOrigin, DescribedSpreads {
  /** Types that are left and have no price. */
  readonly unpriced: readonly string[];
  /** By entry the cheapest type that the pool could launch without it, where that is cheaper than what it can. */
  readonly costs: readonly (DescribedDemand & DescribedPrice)[];
}

export type DescribedSpread = Readonly<Record<keyof Spread, DescribedPrice>>;

export interface DescribedPrice {
  readonly type: string;
  readonly price: number;
  /** Null where the catalogue does not say it. */
  readonly capacityType: string | null;
}

export function describePrices({ origin, perHour, perVcpu, unpriced, cheaper }: PoolPrices): DescribedPrices {
  return {
    ...describeOrigin(origin),
    ...describeSpreads({ perHour, perVcpu }),
    unpriced,
    costs: [...cheaper()].map(([demand, price]) => ({ ...describeDemand(demand), ...describePrice(price, "perHour") })),
  };
}

export function describeOrigin({ source, region, date, currency }: PriceOrigin): DescribedOrigin {
  return { source, region: region ?? null, date, currency };
}

export function describeSpreads({ perHour, perVcpu }: Pick<PriceSpreads, PriceOrder>): DescribedSpreads {
  return { perHour: describeSpread(perHour, "perHour"), perVcpu: describeSpread(perVcpu, "perVcpu") };
}

export function describeSpread(of: Spread | undefined, unit: PriceOrder): DescribedSpread | null {
  if (of === undefined) return null;
  return {
    cheapest: describePrice(of.cheapest, unit),
    median: describePrice(of.median, unit),
    dearest: describePrice(of.dearest, unit),
  };
}

/** As many digits as any price has; a share of it may have more. */
export function describePrice(price: Price, unit: PriceOrder): DescribedPrice {
  const amount = Number((price[unit] ?? 0).toFixed(PRICE_DIGITS));
  return { type: price.type, price: amount, capacityType: price.capacityType ?? null };
}
