/** What nodes cost, and would once those that are replaced have the cheapest in their place. */
import type { PriceOrigin } from "../../../karpenter/catalogue/catalogue.ts";
import type { Price } from "../../../karpenter/catalogue/price-index.ts";
import type { NodeFacts } from "../../nodes/node-data.ts";
import { cheapestReplacement, type PricedTypes, priceOfNode } from "./node-prices.ts";
import type { Launchable } from "./price-envelope.ts";

/** What becomes of a node: it stays, another comes in its place, or it goes. */
export type NodeFate = "stays" | "replaced" | "removed";

export interface NodeCosts {
  readonly origin: PriceOrigin;
  /** An hour, of the nodes that have prices on both sides. */
  readonly before: number;
  readonly after: number;
  /** How many those are. */
  readonly nodes: number;
  /** The nodes that are in neither sum: what they are, or what would come in their place, has no price. */
  readonly unpriced: readonly string[];
  /** What comes in the place of the nodes that are replaced and have prices. */
  readonly replacements: readonly Replacement[];
}

interface Replacement {
  readonly node: string;
  readonly from: Price;
  readonly to: Price;
}

export interface FatedNode {
  readonly node: NodeFacts;
  readonly fate: NodeFate;
  /** What its pool may launch after the change, asked where it is replaced; undefined where nobody can tell. */
  readonly offer: () => Launchable | undefined;
  /** Among which types it is looked for; undefined where nobody knows those of its provider. */
  readonly sold: PricedTypes | undefined;
}

/** @param origin what all prices are of */
export function nodeCosts(nodes: readonly FatedNode[], origin: PriceOrigin): NodeCosts {
  const costs = nodes.map(({ node, fate, offer, sold }): NodeCost => {
    const now = sold && priceOfNode(node, sold);
    return { node: node.name, now, later: now && priceAfter(node, now, fate, offer, sold) };
  });
  const priced = costs.filter(isPriced);
  return {
    origin,
    before: sum(priced.map(({ now }) => now.perHour)),
    after: sum(priced.map(({ later }) => (later === "gone" ? 0 : later.perHour))),
    nodes: priced.length,
    unpriced: costs.filter((cost) => !isPriced(cost)).map(({ node }) => node),
    replacements: priced.flatMap(({ node, now, later }) =>
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
 * Karpenter removes a node that has drifted only once another is there for its pods. So a node in whose place nothing can
 * come stays.
 */
function priceAfter(
  node: NodeFacts,
  now: Price,
  fate: NodeFate,
  offerOf: FatedNode["offer"],
  sold: PricedTypes,
): NodeCost["later"] {
  if (fate === "stays") return now;
  if (fate === "removed") return "gone";
  const offer = offerOf();
  const replacement = offer && cheapestReplacement(node, offer, sold);
  return replacement === "none" ? now : replacement;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
