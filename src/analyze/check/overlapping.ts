/** Which pools of a cluster can take the same pods, in the order in which Karpenter tries them. */
import { hasIntersection, operatorOf } from "../../karpenter/requirements/requirement.ts";
import { haveCommon } from "../../karpenter/catalogue/type-mask.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { Remaining } from "../explain/remaining-types.ts";
import { taintsOf } from "./taints-of.ts";

export interface TriedPool {
  readonly pool: ResolvedPool;
  /** Pods that go to one go to the other only where these are the same. */
  readonly taints: string;
  readonly remaining: Remaining;
}

/** Those that start nodes for pods, the first that is tried first. */
export function triedPools({ pools, explanations }: ExplainedCluster): TriedPool[] {
  const useful = new Map(explanations.filter(isForPods).map(({ pool, remaining }) => [pool, remaining]));
  return poolOrder(pools.filter((pool) => useful.has(pool))).map((pool) => ({
    pool,
    taints: taintsOf(pool),
    remaining: useful.get(pool)!,
  }));
}

/** A static pool starts no node for a pod. */
function isForPods({ verdict, pool }: PoolExplanation): boolean {
  return verdict !== "unsatisfiable" && pool.replicas === undefined;
}

/** Whether both can take the same pod, whichever is tried first. */
export function overlap(a: TriedPool, b: TriedPool): boolean {
  return a.taints === b.taints && haveCommon(a.remaining.types, b.remaining.types) && shareLabels(a, b);
}

function shareLabels({ remaining: a }: TriedPool, { remaining: b }: TriedPool): boolean {
  for (const [key, mine] of a.requirements) {
    const theirs = b.requirements.get(key);
    if (theirs === undefined || hasIntersection(mine, theirs)) continue;
    // A label that both rule out is no difference.
    if (operatorOf(mine) !== "DoesNotExist" || operatorOf(theirs) !== "DoesNotExist") return false;
  }
  return true;
}
