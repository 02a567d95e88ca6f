/** What a change means in money as plain data for reports. */
import { HOURS_A_MONTH, PRICE_DIGITS } from "../../../model/money.ts";
import {
  type DescribedOrigin,
  type DescribedPrice,
  type DescribedSpreads,
  describeOrigin,
  describePrice,
  describeSpreads,
} from "../../explain/describe-prices.ts";
import type { ChangeCost } from "./change-cost.ts";
import type { NodeCosts } from "./node-costs.ts";
import type { PriceEnvelope } from "./price-envelope.ts";

export interface DescribedCost extends DescribedOrigin {
  readonly before: DescribedEnvelope | null;
  readonly after: DescribedEnvelope | null;
  readonly nodes: DescribedNodeCosts | null;
}

export interface DescribedEnvelope extends DescribedSpreads {
  /** How many instance types there are, and how many of them have no price. */
  readonly types: number;
  readonly unpriced: number;
}

interface DescribedNodeCosts extends DescribedSums {
  readonly replacements: readonly {
    readonly node: string;
    readonly from: DescribedPrice;
    readonly to: DescribedPrice;
  }[];
}

export interface DescribedSums {
  /** How many nodes are in the sums, and the names of those that are not. */
  readonly priced: number;
  readonly unpriced: readonly string[];
  readonly perHour: BeforeAndAfter;
  /** Of 730 hours. */
  readonly perMonth: BeforeAndAfter;
}

export interface BeforeAndAfter {
  readonly before: number;
  readonly after: number;
}

export function describeCost({ origin, before, after, nodes }: ChangeCost): DescribedCost {
  return {
    ...describeOrigin(origin),
    before: describeEnvelope(before),
    after: describeEnvelope(after),
    nodes: nodes === undefined ? null : describeNodeCosts(nodes),
  };
}

function describeEnvelope(envelope: PriceEnvelope | undefined): DescribedEnvelope | null {
  if (envelope === undefined) return null;
  const { types, unpriced } = envelope;
  return { types, unpriced, ...describeSpreads(envelope) };
}

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
  before,
  after,
}: Pick<NodeCosts, "nodes" | "unpriced" | "before" | "after">): DescribedSums {
  const sums = (hours: number, digits: number): BeforeAndAfter => ({
    before: Number((before * hours).toFixed(digits)),
    after: Number((after * hours).toFixed(digits)),
  });
  return { priced: nodes, unpriced, perHour: sums(1, PRICE_DIGITS), perMonth: sums(HOURS_A_MONTH, 2) };
}
