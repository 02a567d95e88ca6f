/** Finds pools of a cluster that can take the same pods, in the order that Karpenter tries them. */
import { hasIntersection, operatorOf } from "../../karpenter/requirements/requirement.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { haveCommon } from "../../karpenter/catalogue/type-mask.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { Remaining } from "../explain/remaining-types.ts";
import { firstMatches } from "./first-match.ts";
import { taintsOf } from "./taints-of.ts";

export interface TriedPool {
  readonly pool: ResolvedPool;
  /** Only pools with the same taints compete for a pod. */
  readonly taints: string;
  readonly remaining: Remaining;
}

/** The pools that start nodes for pods, in the order that Karpenter tries them. */
export function triedPools({ pools, explanations }: ExplainedCluster): TriedPool[] {
  const useful = new Map(explanations.filter(isForPods).map(({ pool, remaining }) => [pool, remaining]));
  return poolOrder(pools.filter((pool) => useful.has(pool))).map((pool) => ({
    pool,
    taints: taintsOf(pool),
    remaining: useful.get(pool)!,
  }));
}

/** Static pools start no nodes for pods. */
function isForPods({ verdict, pool }: PoolExplanation): boolean {
  return verdict !== "unsatisfiable" && pool.replicas === undefined;
}

/** Whether both can take the same pod. */
export function overlap(a: TriedPool, b: TriedPool): boolean {
  return a.taints === b.taints && haveCommon(a.remaining.types, b.remaining.types) && shareLabels(a, b);
}

/** For each pool the first one before it that overlaps with it. */
export function firstOverlaps(tried: readonly TriedPool[]): readonly (TriedPool | undefined)[] {
  return firstMatches(tried, kindOf, overlap);
}

/** Equal for pools with the same taints, types and requirements. */
function kindOf({ taints, remaining: { types, requirements } }: TriedPool): string {
  const asked = [...requirements.values()].map(identityOf).toSorted();
  return [taints, types.join(), ...asked].join("\n");
}

function shareLabels({ remaining: a }: TriedPool, { remaining: b }: TriedPool): boolean {
  for (const [key, mine] of a.requirements) {
    const theirs = b.requirements.get(key);
    if (theirs === undefined || hasIntersection(mine, theirs)) continue;
    // A label that both exclude does not separate them.
    if (operatorOf(mine) !== "DoesNotExist" || operatorOf(theirs) !== "DoesNotExist") return false;
  }
  return true;
}
