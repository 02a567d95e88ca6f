/** The events that Karpenter would publish about a pool, as `kubectl get events` lists them. */
import { DRIFTED } from "../../karpenter/disruption/drifted-floor.ts";
import { mayProvision, replacedAnyway, roomToReplace } from "../../karpenter/disruption/node-limit.ts";
import { roomOf } from "../running/node-lifetime.ts";
import type { DisruptionAnswer } from "./timeline.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface SimulatedEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly object: string;
  readonly message: string;
}

/**
 * Karpenter publishes no event if nodes that are already being disrupted use up a budget
 * (docs/upstream/karpenter.md#budgets).
 */
export function eventsOf(
  pool: SimulatedPool,
  nodes: PoolNodes,
  disruption: readonly Pick<DisruptionAnswer, "reason" | "budget">[],
): SimulatedEvent[] {
  const events: SimulatedEvent[] = [];
  const blocked = (reason: string, why: Parameters<typeof nothingAllowed>[1]): SimulatedEvent => ({
    type: "Normal",
    reason: "DisruptionBlocked",
    object: `NodePool/${pool.name}`,
    message: nothingAllowed(reason, why),
  });
  for (const { reason, budget } of nodes.counted === 0 ? [] : disruption) {
    if (budget === 0) events.push(blocked(reason, "blocking budget"));
    if (budget !== 0 && reason === DRIFTED && isStuck(pool, nodes)) events.push(STUCK);
    const room = roomToReplace(pool.limit, nodes.total, reason) ?? 1;
    const anyway = replacedAnyway(pool.limit, nodes.counted, reason) ?? 0;
    if (room <= 0 && anyway <= 0) events.push(blocked(reason, "node hard limit"));
  }
  // No pod waits for a node of a static pool.
  if (pool.replicas === undefined && pool.limit !== undefined && !mayProvision(pool.limit, nodes.active))
    events.push(unschedulable(pool.name, nodes.active === pool.limit.nodes));
  return events;
}

/** A static pool at its limit cannot replace a drifted node; 1.15 says so (docs/upstream/karpenter.md#static-pools). */
function isStuck(pool: SimulatedPool, { total }: PoolNodes): boolean {
  return pool.replicas !== undefined && pool.profile === "karpenter-1.15" && (roomOf(pool, total) ?? 1) <= 0;
}

const STUCK: SimulatedEvent = {
  type: "Normal",
  reason: "DisruptionBlocked",
  object: "NodeClaim",
  message: "static NodePool is at its node limit and cannot stage a replacement",
};

export function nothingAllowed(reason: string, why: "blocking budget" | "node hard limit"): string {
  return `No allowed disruptions for disruption reason ${reason} due to ${why}`;
}

/** On each pod that waits for a node of this pool (docs/upstream/karpenter.md#no-nodes). */
function unschedulable(pool: string, exactly: boolean): SimulatedEvent {
  const why = exactly
    ? "node limits have been exhausted for nodepool"
    : "all available instance types exceed limits for nodepool";
  return {
    type: "Warning",
    reason: "FailedScheduling",
    object: "Pod",
    message: `Failed to schedule pod, ${why} (NodePool=${pool})`,
  };
}
