/** The change of costs: the prices of what a pool may launch, and the costs of its nodes. */
import type { OfferChange } from "../offers/compare-offers.ts";
import type { NodeCosts } from "./node-costs.ts";
import type { Launchable } from "../../nodes/node-prices.ts";
import type { PriceIndex } from "../../../karpenter/catalogue/price-index.ts";
import { countTypes } from "../../../karpenter/catalogue/type-mask.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import { priceSpreads, spotBound } from "../../explain/pool-prices.ts";
import type {
  BeforeAndAfter,
  DescribedCost,
  DescribedEnvelope,
  DescribedNodeCosts,
  DescribedSums,
} from "../diff-answer.ts";
import { HOURS_A_MONTH, PRICE_DIGITS } from "../../../model/values/money.ts";
import { describeOrigin, describePrice, describeSpreads, withAtMost } from "../../explain/describe-explanation.ts";

/** Null without prices. */
export function changeCost(offer: OfferChange | undefined, nodes: NodeCosts | undefined): DescribedCost | null {
  const prices = offer?.knownTypes.prices;
  const origin = prices?.origin ?? nodes?.origin;
  if (origin === undefined) return null;
  const envelope = (side: OfferChange["before"]) => (prices && side ? priceEnvelope(side, prices) : null);
  return {
    ...describeOrigin(origin),
    before: envelope(offer?.before),
    after: envelope(offer?.after),
    nodes: nodes === undefined ? null : describeNodeCosts(nodes),
  };
}

/** The prices of what a pool may launch. Memoized by offer, because pools of one policy share one. */
export function priceEnvelope({ types, remaining }: Launchable, prices: PriceIndex): DescribedEnvelope {
  const known = envelopes(prices);
  const found = known.get(remaining);
  if (found !== undefined) return found;
  const { priced, ...spreads } = priceSpreads(types, remaining.requirements, prices);
  const count = countTypes(types);
  const envelope = {
    types: count,
    unpriced: count - priced,
    ...describeSpreads(spreads),
    ...withAtMost(spotBound(types, remaining.requirements, prices)),
  };
  known.set(remaining, envelope);
  return envelope;
}

const envelopes = memoizeByObject((_prices: PriceIndex) => new WeakMap<Launchable["remaining"], DescribedEnvelope>());

function describeNodeCosts({ replacements, ...costs }: NodeCosts): DescribedNodeCosts {
  return {
    ...describeSums(costs),
    replacements: replacements.map(({ node, from, to }) => ({
      node,
      from: describePrice(from, "perHour"),
      to: describePrice(to, "perHour"),
    })),
  };
}

export function describeSums({
  nodes,
  unpriced,
  spot,
  ...all
}: Pick<NodeCosts, "nodes" | "unpriced" | "spot" | "before" | "after" | "worst">): DescribedSums {
  return {
    priced: nodes,
    unpriced,
    ...amountsOf(all),
    ...(spot.nodes === 0 ? {} : { spot: { nodes: spot.nodes, ...amountsOf(spot) } }),
  };
}

function amountsOf(of: Pick<NodeCosts, "before" | "after" | "worst">): Pick<DescribedSums, "perHour" | "perMonth"> {
  const sums = (hours: number, digits: number): BeforeAndAfter => ({
    before: Number((of.before * hours).toFixed(digits)),
    after: Number((of.after * hours).toFixed(digits)),
    worst: Number((of.worst * hours).toFixed(digits)),
  });
  return { perHour: sums(1, PRICE_DIGITS), perMonth: sums(HOURS_A_MONTH, 2) };
}
