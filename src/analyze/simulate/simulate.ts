/** `anp simulate` at one moment: which nodes of a pool may be launched, disrupted and removed. */
import { mayProvision, surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { type Candidate, inDeprovisioningOrder } from "../../karpenter/disruption/node-limit-candidates.ts";
import { type DisruptionAnswer, disruptionAt } from "./disruption.ts";
import { eventsOf, type SimulatedEvent } from "./events.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface PoolAnswer {
  readonly pool: SimulatedPool;
  readonly nodes: PoolNodes;
  /** Room under the limit; null without a limit. */
  readonly headroom: number | null;
  readonly provisioning: "allowed" | "blocked";
  readonly disruption: readonly DisruptionAnswer[];
  readonly events: readonly SimulatedEvent[];
  /** The nodes to remove, in the order of their removal. */
  readonly deprovision: readonly Candidate[];
}

export function simulatePool(pool: SimulatedPool, nodes: PoolNodes, at: number): PoolAnswer {
  const { limit, profile, replicas } = pool;
  const disruption = disruptionAt(pool, nodes, at);
  // Karpenter scales a static pool down to its replicas.
  const surplus = replicas === undefined ? surplusOf(limit, nodes.active) : Math.max(0, nodes.active - replicas);
  const staying = nodes.known.filter(({ deleting }) => !deleting);
  return {
    pool,
    nodes,
    headroom: limit === undefined ? null : Math.max(0, limit.nodes - nodes.total),
    provisioning: mayProvision(limit, nodes.active) ? "allowed" : "blocked",
    disruption,
    events: eventsOf(pool, nodes, disruption),
    deprovision: inDeprovisioningOrder(staying, at, profile).slice(0, surplus),
  };
}
