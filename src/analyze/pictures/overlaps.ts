/** Which pools share pods, and which of them Karpenter tries first, as plain data for pictures. */
import { both, countTypes } from "../../karpenter/catalogue/type-mask.ts";
import { weightOf } from "../../karpenter/scheduling/pool-order.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { overlap, triedPools } from "../check/overlapping.ts";

export interface PictureOverlap {
  readonly hostedCluster: string | undefined;
  /** Gets the pods that both can take. */
  readonly first: string;
  readonly second: string;
  /** How many instance types both may launch. */
  readonly types: number;
  /** What decides between them. */
  readonly by: "weight" | "name";
}

/** Of more pools than this only the first that wins over each is told: all pairs would fill pages. */
const PAIRS_UP_TO = 50;

/** In the order in which Karpenter tries those that come second. */
export function overlapsOf(cluster: ExplainedCluster): PictureOverlap[] {
  const tried = triedPools(cluster);
  const isSmall = tried.length <= PAIRS_UP_TO;
  return tried.flatMap((second, index) => {
    const before = tried.slice(0, index);
    const isWinner = (one: (typeof tried)[number]): boolean => overlap(one, second);
    const winners = isSmall ? before.filter(isWinner) : [before.find(isWinner)].filter((one) => one !== undefined);
    return winners.map((first) => ({
      hostedCluster: second.pool.hostedCluster,
      first: first.pool.name,
      second: second.pool.name,
      types: countTypes(both(first.remaining.types, second.remaining.types)),
      by: weightOf(first.pool) === weightOf(second.pool) ? ("name" as const) : ("weight" as const),
    }));
  });
}
