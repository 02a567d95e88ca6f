/** `anp why` on a node or a pool: what keeps nodes, how they end, and what they cost. */
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import { HOURS_A_MONTH } from "../../model/values/money.ts";
import { someOf } from "../../krm/values/counted.ts";
import { podsHolding } from "../disrupt/node-blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { priceOfNode } from "../nodes/node-prices.ts";
import { rounded } from "../plan/describe-claim.ts";
import { addRemovals } from "./add-removals.ts";
import { describeBlocker, describeReasons } from "./describe-reasons.ts";
import type { WhyAnswer } from "./why-answer.ts";
import type { WhyWorld } from "./why-world.ts";

export function whyNode(node: NodeState, world: WhyWorld): WhyAnswer {
  const { disruption } = world;
  const { reasons, replacement, unknown } = addRemovals(node, world);
  const after = node.life.terminationGracePeriod ?? null;
  return {
    ...unanswered("node", world),
    node: node.life.name,
    nodePool: node.nodePool ?? null,
    reasons,
    replacement,
    drain: { held: podsHolding(node, disruption.at).map(describeBlocker), after },
    monthly: monthlyOf(node, world),
    notes: notesOn(node),
    notConsidered: [...unknown, ...world.notConsidered],
  };
}

/** @param pool the name of a pool */
export function whyPool(pool: string, world: WhyWorld): WhyAnswer {
  const { disruption } = world;
  const nodes = disruption.nodes.filter(({ nodePool }) => nodePool === pool);
  return {
    ...unanswered("nodepool", world),
    nodePool: pool,
    nodes: nodes
      .map((node) => ({ node: node.life.name, reasons: describeReasons(node, disruption) }))
      .toSorted((a, b) => (a.node < b.node ? -1 : 1)),
    notConsidered: [MOVES_OF_POOL, ...world.notConsidered],
  };
}

/** An answer with nothing but the question. */
export function unanswered(kind: WhyAnswer["kind"], { disruption, notConsidered }: WhyWorld): WhyAnswer {
  return {
    schemaVersion: 1,
    kind,
    at: formatRfc3339(disruption.at),
    node: null,
    nodePool: null,
    reasons: [],
    nodes: [],
    pod: null,
    drain: null,
    replacement: null,
    monthly: null,
    notes: [],
    notConsidered,
  };
}

const MOVES_OF_POOL = "whether the pods of a node fit elsewhere, and on a cheaper node: anp why NODE says that";

function monthlyOf({ labels, life }: NodeState, { cluster }: WhyWorld): WhyAnswer["monthly"] {
  const { prices, filter } = cluster.knownTypes;
  if (prices === undefined) return null;
  const facts = { name: life.name, nodePool: "", nodeClass: undefined, labels, life };
  const price = priceOfNode(facts, { catalogue: filter.catalogue, prices });
  if (price === undefined) return null;
  const capacity = price.capacityType ?? "on-demand";
  return {
    monthly: rounded(price.perHour * HOURS_A_MONTH),
    currency: prices.origin.currency,
    basis: `${price.type}, ${capacity}`,
  };
}

/** A pod without an owner holds no node, and is gone with it. */
function notesOn({ life }: NodeState): string[] {
  const lost = life.pods.filter(({ owned, reschedulable }) => reschedulable && !owned).map(({ name }) => name);
  return lost.length === 0
    ? []
    : [`nothing makes ${someOf(lost, 3)} again: no controller owns ${lost.length === 1 ? "it" : "them"}`];
}
