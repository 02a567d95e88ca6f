/** The change of costs as plain data for reports. */
import type {
  BeforeAndAfter,
  DescribedCost,
  DescribedEnvelope,
  DescribedNodeCosts,
  DescribedSums,
} from "../diff-answer.ts";
import { HOURS_A_MONTH, PRICE_DIGITS } from "../../../model/money.ts";
import { describeOrigin, describePrice, describeSpreads } from "../../explain/describe-demand.ts";
import type { ChangeCost, PriceEnvelope } from "./change-cost.ts";
import type { NodeCosts } from "./node-costs.ts";

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
