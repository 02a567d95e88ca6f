/** How many nodes of a pool Karpenter may disrupt over time, in stretches with the same answer. */
import type { Span } from "../../karpenter/disruption/budget-window.ts";
import { type DisruptionAnswer, disruptionAt } from "./disruption.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface Stretch extends Span {
  readonly disruption: readonly DisruptionAnswer[];
}

/** In order and without gaps. The nodes are assumed to stay as they are at the beginning. */
export function timeline(pool: SimulatedPool, nodes: PoolNodes, { from, to }: Span): Stretch[] {
  const edges = [from, ...changesWithin(pool, { from, to })];
  const stretches: Stretch[] = [];
  for (const [index, at] of edges.entries()) {
    const disruption = disruptionAt(pool, nodes, at);
    const last = stretches.at(-1);
    const end = edges[index + 1] ?? to;
    if (last !== undefined && isSame(last.disruption, disruption))
      stretches[stretches.length - 1] = { ...last, to: end };
    else stretches.push({ from: at, to: end, disruption });
  }
  return stretches;
}

/** The moments at which a budget begins or ends. */
function changesWithin({ budgets }: SimulatedPool, { from, to }: Span): number[] {
  const spans = budgets.flatMap(({ window }) => ("error" in window ? [] : window.spans(from, to)));
  const moments = spans.flatMap((span) => [span.from, span.to]).filter((at) => at > from && at < to);
  return [...new Set(moments)].toSorted((a, b) => a - b);
}

function isSame(a: readonly DisruptionAnswer[], b: readonly DisruptionAnswer[]): boolean {
  return a.every(({ budget, allowed, blockedBy }, index) => {
    const other = b[index]!;
    return budget === other.budget && allowed === other.allowed && blockedBy === other.blockedBy;
  });
}

/** Whether no node may be disrupted for any reason. */
export function isClosed({ disruption }: Pick<Stretch, "disruption">): boolean {
  return disruption.every(({ allowed }) => allowed === 0);
}
