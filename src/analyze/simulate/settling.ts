/** When a change that replaces every node of a pool would hold, and how many are gone by then. */
import { nodeStay } from "../../karpenter/disruption/node-stay.ts";
import { valueAt } from "../../krm/field-path.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { textAt } from "../nodes/node-pairs.ts";
import type { Roll } from "../running/roll.ts";
import { rollOfNodes, type Settles, settlesOf } from "../running/settles.ts";
import type { RunningPool } from "../running/stay.ts";
import type { PoolNodes } from "./pool-nodes.ts";
import type { SimulatedPool } from "./pools.ts";

export interface PoolSettles extends Settles {
  /** How many are gone at the earliest, from each moment on; empty where nobody can tell. */
  readonly steps: Roll["steps"];
}

/** @param roll of drift alone */
export function settlingOf(pool: SimulatedPool, nodes: PoolNodes, roll: Roll, moment: Moment): PoolSettles {
  const running = runningPoolOf(pool);
  const { known, total, from } = nodes;
  if (from === "data" || total === 0) {
    const lives = { all: known, affected: known, sure: true };
    const settles = settlesOf(running, lives, moment);
    const bounded = settles.earliest !== undefined || settles.until === "never";
    return { ...settles, steps: bounded ? rollOfNodes(running, lives, moment).steps : [] };
  }
  const settles = settlesOf(running, undefined, moment);
  // One of them may expire any moment: nobody knows their ages.
  const ageless = nodeStay(running).expiry === undefined && settles.until !== "never";
  return { ...settles, earliest: ageless ? roll.ends : undefined, steps: ageless ? roll.steps : [] };
}

type Moment = Parameters<typeof settlesOf>[2];

function runningPoolOf({ resource: { value }, budgets, limit, replicas }: SimulatedPool): RunningPool {
  const template = valueAt(value, ["spec", "template"]);
  return {
    expireAfter: textAt(template, ["spec", "expireAfter"]),
    terminationGracePeriod: textAt(template, ["spec", "terminationGracePeriod"]),
    doNotDisrupt: textAt(template, ["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    budgets: budgets.map(({ budget }) => budget),
    limit,
    replicas,
  };
}
