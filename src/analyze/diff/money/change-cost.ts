/** What a change means in money: what the pool may launch, and what its nodes cost. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { OfferChange } from "../offers/compare-offers.ts";
import type { NodeCosts } from "./node-costs.ts";
import { type PriceEnvelope, priceEnvelope } from "./price-envelope.ts";

export interface ChangeCost {
  /** All figures are of it. */
  readonly origin: PriceOrigin;
  /** Undefined where the side has no such pool, and of anything but a NodePool. */
  readonly before: PriceEnvelope | undefined;
  readonly after: PriceEnvelope | undefined;
  /** Undefined where nobody knows the nodes, or which of them the change replaces. */
  readonly nodes: NodeCosts | undefined;
}

/** Undefined where no prices are known. */
export function changeCost(offer: OfferChange | undefined, nodes: NodeCosts | undefined): ChangeCost | undefined {
  const prices = offer?.market.prices;
  if (prices === undefined) return nodes && { origin: nodes.origin, before: undefined, after: undefined, nodes };
  const envelope = (side: OfferChange["before"]) => side && priceEnvelope(side, prices);
  return { origin: prices.origin, before: envelope(offer?.before), after: envelope(offer?.after), nodes };
}
