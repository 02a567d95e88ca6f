/** The costs of nodes before and after a change, with the cheapest possible replacements. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { Price } from "../../../karpenter/catalogue/price-index.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import type { NodeOutcome } from "../change-nodes.ts";
import { cheapestReplacement, type Launchable, type PricedTypes, priceOfNode } from "./node-prices.ts";

export interface NodeCosts {
  readonly origin: PriceOrigin;
  /** Per hour, of the nodes with a price on both sides. */
  readonly before: number;
  readonly after: number;
  /** The number of those nodes. */
  readonly nodes: number;
  /** The nodes in neither sum, because they or their replacements have no price. */
  readonly unpriced: readonly string[];
  /** The replacements of the nodes in the sums. */
  readonly replacements: readonly Replacement[];
}

interface Replacement {
  readonly node: string;
  readonly from: Price;
  readonly to: Price;
}

export interface CostedNode {
  readonly node: NodeFacts;
  readonly outcome: NodeOutcome;
  /** What its pool may launch after the change, called only for replaced nodes; undefined if unknown. */
  readonly offer: () => Launchable | undefined;
  /** The priced types of its provider; undefined if unknown. */
  readonly priced: PricedTypes | undefined;
}

/** @param origin the origin of all prices */
export function nodeCosts(nodes: readonly CostedNode[], origin: PriceOrigin): NodeCosts {
  const costs = nodes.map(({ node, outcome, offer, priced }): NodeCost => {
    const now = priced && priceOfNode(node, priced);
    return { node: node.name, now, later: now && priceAfter(node, now, outcome, offer, priced) };
  });
  const pricedNodes = costs.filter(isPriced);
  return {
    origin,
    before: sum(pricedNodes.map(({ now }) => now.perHour)),
    after: sum(pricedNodes.map(({ later }) => (later === "gone" ? 0 : later.perHour))),
    nodes: pricedNodes.length,
    unpriced: costs.filter((cost) => !isPriced(cost)).map(({ node }) => node),
    replacements: pricedNodes.flatMap(({ node, now, later }) =>
      later === "gone" || later === now ? [] : [{ node, from: now, to: later }],
    ),
  };
}

interface NodeCost {
  readonly node: string;
  readonly now: Price | undefined;
  readonly later: Price | "gone" | undefined;
}

interface PricedNode extends NodeCost {
  readonly now: Price;
  readonly later: Price | "gone";
}

function isPriced(cost: NodeCost): cost is PricedNode {
  return cost.now !== undefined && cost.later !== undefined;
}

/**
 * Karpenter removes a drifted node only after its replacement is ready. So a node without a possible replacement stays.
 */
function priceAfter(
  node: NodeFacts,
  now: Price,
  outcome: NodeOutcome,
  offerOf: CostedNode["offer"],
  priced: PricedTypes,
): NodeCost["later"] {
  if (outcome === "stays") return now;
  if (outcome === "removed") return "gone";
  const offer = offerOf();
  const replacement = offer && cheapestReplacement(node, offer, priced);
  return replacement === "none" ? now : replacement;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
