/** The prices of a pool as plain data for reports. */
import type { PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceOrder } from "../../karpenter/catalogue/price-index.ts";
import { PRICE_DIGITS } from "../../model/money.ts";
import { type DescribedDemand, describeDemand } from "./describe-demand.ts";
import type { PoolPrices, Spread } from "./pool-prices.ts";

/** Of `anp explain -o json`, schemaVersion 1. */
export interface DescribedPrices extends Omit<PriceOrigin, "region"> {
  readonly region: string | null;
  readonly perHour: DescribedSpread | null;
  readonly perVcpu: DescribedSpread | null;
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
  const { source, region = null, date, currency } = origin;
  const spread = (of: Spread | undefined, unit: PriceOrder): DescribedSpread | null =>
    of === undefined
      ? null
      : {
          cheapest: describePrice(of.cheapest, unit),
          median: describePrice(of.median, unit),
          dearest: describePrice(of.dearest, unit),
        };
  return {
    source,
    region,
    date,
    currency,
    perHour: spread(perHour, "perHour"),
    perVcpu: spread(perVcpu, "perVcpu"),
    unpriced,
    costs: [...cheaper].map(([demand, price]) => ({ ...describeDemand(demand), ...describePrice(price, "perHour") })),
  };
}

/** As many digits as any price has; a share of it may have more. */
function describePrice(price: Price, unit: PriceOrder): DescribedPrice {
  const amount = Number((price[unit] ?? 0).toFixed(PRICE_DIGITS));
  return { type: price.type, price: amount, capacityType: price.capacityType ?? null };
}
