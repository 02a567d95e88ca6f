/** How many nodes of a pool Karpenter may disrupt at one moment, for each reason. */
import { allowedDisruptions, UNLIMITED } from "../../karpenter/disruption/disruption-budget.ts";
import { replacedAnyway, roomToReplace } from "../../karpenter/disruption/node-limit.ts";
import { type DisruptionReason, reasonsInTurn } from "../../model/disruption-reasons.ts";
import { consumingFor, type PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

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
    const within = roomToReplace(pool.limit, nodes.total, reason);
    const room = within === undefined ? null : Math.max(within, always);
    const bounds = [remaining, room].filter((bound) => bound !== null);
    const allowed = bounds.length === 0 ? null : Math.max(0, Math.min(...bounds));
    const cause = errors.length > 0 ? "schedule-error" : remaining !== null && remaining <= 0 ? "budget" : "nodeLimit";
    return { reason, budget, allowed, blockedBy: allowed === 0 ? cause : null };
  });
}
