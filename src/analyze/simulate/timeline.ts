/** How many nodes of a pool Karpenter may disrupt for each reason: at a moment, and over time. */
import type { Span } from "../../karpenter/disruption/budget-window.ts";
import { consumingFor } from "../disrupt/counted-nodes.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { allowedDisruptions, UNLIMITED } from "../../karpenter/disruption/disruption-budget.ts";
import { replacedAnyway, roomToReplace } from "../../karpenter/disruption/node-limit.ts";
import { roomOf } from "../running/node-lifetime.ts";
import { DRIFTED } from "../../karpenter/disruption/drifted-floor.ts";
import { type DisruptionReason, reasonsInTurn } from "../../model/pools/disruption-reasons.ts";

export interface DisruptionAnswer {
  readonly reason: DisruptionReason;
  /** What the budgets allow before nodes that are already being disrupted are subtracted; null: no bound. */
  readonly budget: number | null;
  readonly allowed: number | null;
  readonly blockedBy: "budget" | "nodeLimit" | "schedule-error" | null;
}

/** By its budgets, its limit and its nodes (docs/design.md#limits-and-disruption). */
export function disruptionAt(pool: SimulatedPool, nodes: PoolNodes, at: number): DisruptionAnswer[] {
  return reasonsInTurn(pool.profile).map((reason) => {
    const { nodes: value, errors } = allowedDisruptions(pool.budgets, reason, nodes.counted, at);
    const budget = value === UNLIMITED ? null : value;
    const disrupted = consumingFor(nodes, reason);
    const remaining = budget === null ? null : budget - disrupted;
    const always = (replacedAnyway(pool.limit, nodes.counted, reason) ?? -Infinity) - disrupted;
    const isStaticDrift = pool.replicas !== undefined && reason === DRIFTED;
    const within = isStaticDrift ? roomOf(pool, nodes.total) : roomToReplace(pool.limit, nodes.total, reason);
    const room = within === undefined ? null : Math.max(within, always);
    const bounds = [remaining, room].filter((bound) => bound !== null);
    const allowed = bounds.length === 0 ? null : Math.max(0, Math.min(...bounds));
    const cause = errors.length > 0 ? "schedule-error" : remaining !== null && remaining <= 0 ? "budget" : "nodeLimit";
    return { reason, budget, allowed, blockedBy: allowed === 0 ? cause : null };
  });
}

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
