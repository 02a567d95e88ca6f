/** How long it takes to replace every node of a pool, were all of them drifted. */
import { type Roll, rollOf } from "../running/roll.ts";
import { roomOf } from "../running/stay.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

/** Those that are not initialized, or are going already, are not counted. */
export function rollOfPool(pool: SimulatedPool, nodes: PoolNodes, at: number, nodeTime: number): Roll {
  const { counted, going, total } = nodes;
  const leaving = Array.from({ length: counted - going }, () => ({ expires: undefined, drifts: true }));
  return rollOf({ budgets: pool.budgets, counted, room: roomOf(pool, total - going) }, leaving, at, nodeTime);
}
