/** The costs of nodes before and after a change, with the cheapest and the dearest replacements. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { Price } from "../../../karpenter/catalogue/price-index.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import type { NodeOutcome } from "../change-nodes.ts";
import {
  type Launchable,
  mostOfSpotNode,
  possibleReplacements,
  type PricedTypes,
  priceOfNode,
  type Replacements,
} from "../../nodes/node-prices.ts";

/** Per hour, of the nodes with a price on both sides. */
export interface CostSums {
  readonly before: number;
  /** With the cheapest replacements. */
  readonly after: number;
  /** With the dearest. */
  readonly worst: number;
  /** The number of those nodes. */
  readonly nodes: number;
}

export interface NodeCosts extends CostSums {
  readonly origin: PriceOrigin;
  /** The nodes in neither sum, because they or their replacements have no price. */
  readonly unpriced: readonly string[];
  /** What those of them cost at most that are Spot, or become it. */
  readonly spot: CostSums;
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
  const costs = nodes.map((one) => costOf(one));
  const pricedNodes = costs.filter(isPriced);
  const unpriced = nodes.filter((_node, at) => !isPriced(costs[at]!));
  return {
    origin,
    ...sumsOf(pricedNodes),
    unpriced: unpriced.map(({ node }) => node.name),
    spot: sumsOf(unpriced.map((one) => costOf(one, true)).filter(isPriced)),
    replacements: pricedNodes.flatMap(({ node, now, later }) =>
      later === "gone" || later.best === now ? [] : [{ node, from: now, to: later.best }],
    ),
  };
}

/** @param isSpot what it costs at most, if it or its replacement is Spot without a price */
function costOf({ node, outcome, offer, priced }: CostedNode, isSpot = false): NodeCost {
  const now = priced && (priceOfNode(node, priced) ?? (isSpot ? mostOfSpotNode(node, priced) : undefined));
  return { node: node.name, now, later: now && priceAfter(node, now, outcome, offer, priced, isSpot) };
}

function sumsOf(costs: readonly PricedNode[]): CostSums {
  const later = (which: keyof Replacements) =>
    sum(costs.map((one) => (one.later === "gone" ? 0 : one.later[which].perHour)));
  return {
    before: sum(costs.map(({ now }) => now.perHour)),
    after: later("best"),
    worst: later("worst"),
    nodes: costs.length,
  };
}

interface NodeCost {
  readonly node: string;
  readonly now: Price | undefined;
  readonly later: Replacements | "gone" | undefined;
}

interface PricedNode extends NodeCost {
  readonly now: Price;
  readonly later: Replacements | "gone";
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
  isSpot: boolean,
): NodeCost["later"] {
  const same = { best: now, worst: now };
  if (outcome === "stays") return same;
  if (outcome === "removed") return "gone";
  const offer = offerOf();
  const replacements = offer && possibleReplacements(node, offer, priced, isSpot);
  return replacements === "none" ? same : replacements;
}

export function sumOfCosts(all: readonly CostSums[]): CostSums {
  const of = (part: keyof CostSums) => sum(all.map((one) => one[part]));
  return { before: of("before"), after: of("after"), worst: of("worst"), nodes: of("nodes") };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
