/** The change of costs: the prices of what a pool may launch, and the costs of its nodes. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { OfferChange } from "../offers/compare-offers.ts";
import type { NodeCosts } from "./node-costs.ts";
import type { Launchable } from "./node-prices.ts";
import type { PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { countTypes } from "../../../karpenter/catalogue/type-mask.ts";
import { memoizeByObject } from "../../../model/memoize.ts";
import { type PriceSpreads, priceSpreads } from "../../explain/pool-prices.ts";

export interface ChangeCost {
  /** The origin of all prices. */
  readonly origin: PriceOrigin;
  /** Undefined if the side lacks the pool, and for objects other than NodePools. */
  readonly before: PriceEnvelope | undefined;
  readonly after: PriceEnvelope | undefined;
  /** Undefined if the nodes are unknown, or which of them the change replaces. */
  readonly nodes: NodeCosts | undefined;
}

/** Undefined without prices. */
export function changeCost(offer: OfferChange | undefined, nodes: NodeCosts | undefined): ChangeCost | undefined {
  const prices = offer?.knownTypes.prices;
  if (prices === undefined) return nodes && { origin: nodes.origin, before: undefined, after: undefined, nodes };
  const envelope = (side: OfferChange["before"]) => side && priceEnvelope(side, prices);
  return { origin: prices.origin, before: envelope(offer?.before), after: envelope(offer?.after), nodes };
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
