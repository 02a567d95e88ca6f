/** What the instance types cost that a pool may launch on one side of a diff. */
import type { PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { countTypes, type TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import type { Requirements } from "../../../karpenter/requirements/requirements.ts";
import { oncePerObject } from "../../../model/once.ts";
import { type PriceSpreads, priceSpreads } from "../../explain/pool-prices.ts";

/** What a pool may launch, and what it asks for, of zones and capacity types among others. */
export interface Launchable {
  readonly types: TypeMask;
  readonly remaining: { readonly requirements: Requirements };
}

export interface PriceEnvelope extends PriceSpreads {
  readonly types: number;
  /** How many of them have no price where the pool may launch them. */
  readonly unpriced: number;
}

/** The same for the same offer: pools of one policy share it. */
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

const envelopes = oncePerObject((_prices: PriceIndex) => new WeakMap<Launchable["remaining"], PriceEnvelope>());
