/** Finds pools of a cluster that can take the same pods, in the order that Karpenter tries them. */
import { hasIntersection, operatorOf } from "../../karpenter/requirements/requirement.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { haveCommon } from "../../karpenter/catalogue/type-mask.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import type { Remaining } from "../explain/remaining-types.ts";

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

/** Clusters have few kinds. Kinds beyond this limit are not compared. */
const MOST_KINDS = 1000;

/**
 * The matches in the order of the items; undefined without a match. Items of one kind match the same items, so only the
 * first of each kind is compared.
 */
export function firstMatches<T>(
  items: readonly T[],
  kindOf: (item: T) => string,
  matches: (first: T, second: T) => boolean,
): readonly (T | undefined)[] {
  const firsts: T[] = [];
  const known = new Map<string, { match: T | undefined; compared: number }>();
  return items.map((item) => {
    const kind = kindOf(item);
    const isFirst = !known.has(kind);
    const answer = known.get(kind) ?? { match: undefined, compared: 0 };
    known.set(kind, answer);
    while (answer.match === undefined && answer.compared < firsts.length) {
      const first = firsts[answer.compared++]!;
      if (matches(first, item)) answer.match = first;
    }
    if (isFirst && firsts.length < MOST_KINDS) firsts.push(item);
    return answer.match;
  });
}

/** Only pools with the same taints compete for pods. */
export function taintsOf({ spec }: ResolvedPool): string {
  const { taints = [] } = spec.template.spec;
  return taints
    .filter(({ effect }) => effect !== "PreferNoSchedule")
    .map(({ key, value = "", effect }) => `${key}=${value}:${effect}`)
    .toSorted()
    .join(",");
}
