/** A requirement entry as plain data for reports, with its place. */
import type {
  DescribedDemand,
  DescribedRequirement,
  DescribedOrigin,
  DescribedPrice,
  DescribedPrices,
  DescribedSpread,
  DescribedSpreads,
} from "./pool-answer.ts";
import { formatRequirement, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { fileLineOf } from "../../krm/places/location.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { PriceOrigin } from "../../karpenter/catalogue/catalogue.ts";
import type { Price, PriceOrder } from "../../karpenter/catalogue/price-index.ts";
import { PRICE_DIGITS } from "../../model/values/money.ts";
import type { PoolPrices, PriceSpreads, Spread } from "./pool-prices.ts";

export function describeDemand({ from, requirement, place }: PoolRequirement): DescribedDemand {
  const { key, requirement: words } = describeRequirement(requirement);
  const written = writtenBound(valueAt(place.resource.value, place.path));
  return {
    key,
    from,
    requirement: words,
    ...(written === undefined ? {} : { written }),
    ...fileLineOf(place.resource, place.path),
  };
}

function writtenBound(entry: unknown): string | undefined {
  const { operator, values } = (entry ?? {}) as { operator?: unknown; values?: unknown };
  return typeof operator === "string" && BOUNDS.includes(operator) && Array.isArray(values)
    ? `${operator} ${values.join(" ")}`
    : undefined;
}

const BOUNDS: readonly string[] = ["Gt", "Gte", "Lt", "Lte"];

/** In Karpenter's print form. */
export function describeRequirement(requirement: Requirement): DescribedRequirement {
  return { key: requirement.key, requirement: formatRequirement(requirement) };
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

/** Rounds to the digits that prices have. The share of one vCPU may have more. */
export function describePrice(price: Price, unit: PriceOrder): DescribedPrice {
  const amount = Number((price[unit] ?? 0).toFixed(PRICE_DIGITS));
  return { type: price.type, price: amount, capacityType: price.capacityType ?? null };
}
