/** When a change that replaces every node of a pool would hold, with the number over time. */
import { nodeStay } from "../../karpenter/disruption/node-stay.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { textAt } from "../nodes/node-pairs.ts";
import { type Rollout, rolloutOf } from "../running/rollout.ts";
import { rolloutOfNodes, type Convergence, convergenceOf } from "../running/convergence.ts";
import { type RunningPool, roomOf } from "../running/node-lifetime.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface PoolConvergence extends Convergence {
  /** At the earliest: how many nodes are replaced from each moment on. Empty if that is unknown. */
  readonly steps: Rollout["steps"];
}

/** @param rollout by drift alone, without expiry */
export function convergenceOfPool(
  pool: SimulatedPool,
  nodes: PoolNodes,
  rollout: Rollout,
  moment: Moment,
): PoolConvergence {
  const running = runningPoolOf(pool);
  const { known, total, from } = nodes;
  if (from === "data" || total === 0) {
    const lives = { all: known, affected: known, sure: true };
    const convergence = convergenceOf(running, lives, moment);
    const bounded = convergence.earliest !== undefined || convergence.until === "never";
    return { ...convergence, steps: bounded ? rolloutOfNodes(running, lives, moment).steps : [] };
  }
  const convergence = convergenceOf(running, undefined, moment);
  // The ages of the nodes are unknown, so one of them may expire at any moment.
  const ageless = nodeStay(running).expiry === undefined && convergence.until !== "never";
  return { ...convergence, earliest: ageless ? rollout.ends : undefined, steps: ageless ? rollout.steps : [] };
}

type Moment = Parameters<typeof convergenceOf>[2];

function runningPoolOf({ resource: { value }, budgets, limit, replicas }: SimulatedPool): RunningPool {
  const template = valueAt(value, ["spec", "template"]);
  return {
    expireAfter: textAt(template, ["spec", "expireAfter"]),
    terminationGracePeriod: textAt(template, ["spec", "terminationGracePeriod"]),
    doNotDisrupt: textAt(template, ["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    hasDrainEnd: textAt(template, ["metadata", "annotations", TERMINATION_TIMESTAMP]) !== undefined,
    budgets: budgets.map(({ budget }) => budget),
    limit,
    replicas,
  };
}

/** Nodes that are not initialized, or are being disrupted already, are not counted. */
export function rolloutOfPool(pool: SimulatedPool, nodes: PoolNodes, at: number, nodeTime: number): Rollout {
  const { counted, going, total } = nodes;
  const leaving = Array.from({ length: counted - going }, () => ({ expires: undefined, drifts: true }));
  return rolloutOf({ budgets: pool.budgets, counted, room: roomOf(pool, total - going) }, leaving, at, nodeTime);
}
