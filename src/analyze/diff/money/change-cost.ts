/** The change of costs: the prices of what a pool may launch, and the costs of its nodes. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { OfferChange } from "../offers/compare-offers.ts";
import type { NodeCosts } from "./node-costs.ts";
import { type PriceEnvelope, priceEnvelope } from "./price-envelope.ts";

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
