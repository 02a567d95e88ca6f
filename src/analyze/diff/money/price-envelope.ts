/** The prices of the instance types that a pool may launch on one side of a diff. */
import type { PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { countTypes, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import type { Requirements } from "../../../karpenter/requirements/requirements.ts";
import { memoizeByObject } from "../../../model/memoize.ts";
import { type PriceSpreads, priceSpreads } from "../../explain/pool-prices.ts";

/** The instance types of a pool, with its requirements for zones and capacity types. */
export interface Launchable {
  readonly types: TypeMask;
  readonly remaining: { readonly requirements: Requirements };
}

export interface PriceEnvelope extends PriceSpreads {
  readonly types: number;
  /** The number of types without a price in the zones and capacity types of the pool. */
  readonly unpriced: number;
}

/** Memoized by offer, because pools of one policy share one. */
export function priceEnvelope(offer: Launchable, prices: PriceIndex): PriceEnvelope {
  const known = envelopes(prices);
  const found = known.get(offer.remaining);
  if (found !== undefined) return found;
  const { types, remaining } = offer;
  const { priced, ...spreads } = priceSpreads(types, remaining.requirements, prices);
  const count = countTypes(types);
  const envelope = { ...spreads, types: count, unpriced: count - priced };
  known.set(offer.remaining, envelope);
  return envelope;
}

const envelopes = memoizeByObject((_prices: PriceIndex) => new WeakMap<Launchable["remaining"], PriceEnvelope>());
