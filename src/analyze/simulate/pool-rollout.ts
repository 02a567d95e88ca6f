/** How long it takes to replace every node of a pool if all of them are drifted. */
import { type Rollout, rolloutOf } from "../running/rollout.ts";
import { roomOf } from "../running/node-lifetime.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

/** Nodes that are not initialized, or are being disrupted already, are not counted. */
export function rolloutOfPool(pool: SimulatedPool, nodes: PoolNodes, at: number, nodeTime: number): Rollout {
  const { counted, going, total } = nodes;
  const leaving = Array.from({ length: counted - going }, () => ({ expires: undefined, drifts: true }));
  return rolloutOf({ budgets: pool.budgets, counted, room: roomOf(pool, total - going) }, leaving, at, nodeTime);
}
