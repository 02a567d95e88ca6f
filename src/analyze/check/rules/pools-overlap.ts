/** Pools of equal weight that can take the same pods. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import { hasIntersection, operatorOf } from "../../../karpenter/requirements/requirement.ts";
import type { TypeMask } from "../../../karpenter/catalogue/type-mask.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { PoolExplanation } from "../../explain/explanation.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { poolOrder, weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { taintsOf } from "../taints-of.ts";
import { type Remaining, remainingTypes } from "../../explain/remaining-types.ts";

interface Candidate extends Remaining {
  readonly pool: ResolvedPool;
}

/**
 * Only their names decide which of them does (docs/upstream/karpenter.md#order-of-pools). One finding a pool: it names
 * the first that Karpenter tries before it.
 */
export function poolsOverlap({ pools, explanations, market }: ExplainedCluster): Finding[] {
  const useful = new Set(explanations.filter(isForPods).map(({ pool }) => pool));
  const candidates = poolOrder(pools.filter((pool) => useful.has(pool))).map((pool): Candidate => ({
    pool,
    ...remainingTypes(pool.demands, market),
  }));
  const groups = Map.groupBy(candidates, ({ pool }) => `${weightOf(pool)} ${taintsOf(pool)}`);
  return [...groups.values()].flatMap((group) =>
    group.flatMap((second, index) => {
      const first = group.slice(0, index).find((other) => overlap(other, second));
      return first === undefined ? [] : [describe(first.pool, second.pool)];
    }),
  );
}

/** A static pool starts no node for a pod. */
function isForPods({ verdict, pool }: PoolExplanation): boolean {
  return verdict !== "unsatisfiable" && pool.replicas === undefined;
}

function overlap(a: Candidate, b: Candidate): boolean {
  return shareTypes(a.types, b.types) && shareLabels(a, b);
}

function shareTypes(a: TypeMask, b: TypeMask): boolean {
  return a.some((word, index) => (word & b[index]!) !== 0);
}

function shareLabels(a: Candidate, b: Candidate): boolean {
  for (const [key, mine] of a.requirements) {
    const theirs = b.requirements.get(key);
    if (theirs === undefined || hasIntersection(mine, theirs)) continue;
    // A label that both rule out is no difference.
    if (operatorOf(mine) !== "DoesNotExist" || operatorOf(theirs) !== "DoesNotExist") return false;
  }
  return true;
}

function describe(first: ResolvedPool, second: ResolvedPool): Finding {
  const weight = weightOf(second);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(second.wrapper)} can take the same pods as ${first.name}, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet`;
  const hint = "give one of them a higher weight, or tell them apart by labels or taints";
  return findingAt("pools-overlap", second.wrapper, weight === 0 ? ["metadata", "name"] : ["spec", "weight"], {
    message,
    hint,
  });
}
