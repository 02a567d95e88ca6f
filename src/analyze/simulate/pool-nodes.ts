/** How many nodes a pool has and which count for what: dumped, set to try, or guessed. */
import { type DisruptionReason, waitsForReady } from "../../model/disruption-reasons.ts";
import type { SimulatedNode } from "./nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface PoolNodes {
  /** All that exist, whatever becomes of them: those a limit is about. */
  readonly total: number;
  /** Those that stay, for provisioning and for what has to go. */
  readonly active: number;
  /**
   * Those that percentages are taken of: initialized, and their instances not terminating
   * (docs/upstream/karpenter.md#budgets).
   */
  readonly counted: number;
  /** Of these, how many use up a budget because they are going. */
  readonly going: number;
  /** And how many because they are not ready. */
  readonly notReady: number;
  readonly from: "given" | "data" | "status" | "replicas" | "assumed";
  /** Each node, where there is data. */
  readonly known: readonly SimulatedNode[];
}

/** @param data undefined where there is none about any pool; a pool without nodes in it has none */
export function nodesOf(
  pool: SimulatedPool,
  given: number | undefined,
  data: readonly SimulatedNode[] | undefined,
): PoolNodes {
  if (given !== undefined) return alike(given, "given");
  if (data !== undefined) return counted(data.filter(({ nodePool }) => nodePool === pool.name));
  if (pool.statusNodes !== undefined) return alike(pool.statusNodes, "status");
  if (pool.replicas !== undefined) return alike(pool.replicas, "replicas");
  // A pool that is full would be the special case.
  const room = pool.limit === undefined ? ASSUMED : Math.max(0, pool.limit.nodes - 1);
  return alike(Math.min(ASSUMED, room), "assumed");
}

const ASSUMED = 10;

/** Nodes that are all initialized, ready and here to stay. */
function alike(count: number, from: PoolNodes["from"]): PoolNodes {
  return { total: count, active: count, counted: count, going: 0, notReady: 0, from, known: [] };
}

function counted(nodes: readonly SimulatedNode[]): PoolNodes {
  const there = nodes.filter(({ terminating }) => !terminating);
  const counted = there.filter(({ initialized }) => initialized);
  const staying = counted.filter(({ deleting }) => !deleting);
  return {
    total: there.length,
    active: nodes.filter(({ deleting }) => !deleting).length,
    counted: counted.length,
    going: counted.length - staying.length,
    notReady: staying.filter(({ ready }) => !ready).length,
    from: "data",
    known: nodes,
  };
}

/** How many nodes use up what the budgets let go for a reason. */
export function consumingFor({ going, notReady }: PoolNodes, reason: DisruptionReason): number {
  return waitsForReady(reason) ? going + notReady : going;
}
