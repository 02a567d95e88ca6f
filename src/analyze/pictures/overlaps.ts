/** The data for pictures of pools that can take the same pods. */
import { both, countTypes } from "../../karpenter/catalogue/type-mask.ts";
import { weightOf } from "../../karpenter/scheduling/pool-order.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { firstOverlaps, overlap, triedPools } from "../check/overlapping.ts";

export interface PictureOverlap {
  readonly hostedCluster: string | undefined;
  /** The pool that Karpenter tries first. */
  readonly first: string;
  readonly second: string;
  /** The number of instance types that both may launch. */
  readonly types: number;
  /** What decides the order. */
  readonly by: "weight" | "name";
}

/** With more pools than this, only the first overlap of each pool is included, because the pairs would fill pages. */
const PAIRS_UP_TO = 50;

/** In the order in which Karpenter tries the second pool of each pair. */
export function overlapsOf(cluster: ExplainedCluster): PictureOverlap[] {
  const tried = triedPools(cluster);
  const firsts = tried.length <= PAIRS_UP_TO ? undefined : firstOverlaps(tried);
  return tried.flatMap((second, index) => {
    const winners =
      firsts === undefined ? tried.slice(0, index).filter((one) => overlap(one, second)) : [firsts[index]];
    return winners
      .filter((one) => one !== undefined)
      .map((first) => ({
        hostedCluster: second.pool.hostedCluster,
        first: first.pool.name,
        second: second.pool.name,
        types: countTypes(both(first.remaining.types, second.remaining.types)),
        by: weightOf(first.pool) === weightOf(second.pool) ? ("name" as const) : ("weight" as const),
      }));
  });
}
