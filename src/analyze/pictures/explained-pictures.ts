/** What pictures show of explained clusters: each pool's way from all types to what is left. */
import { has } from "../../karpenter/requirements/requirement.ts";
import { type DescribedDemand, describeDemand } from "../explain/describe-demand.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import type { PoolExplanation } from "../explain/explanation.ts";
import { funnelOf } from "./funnel.ts";
import { overlapsOf, type PictureOverlap } from "./overlaps.ts";
import { type TypeTable, TypeTables } from "./type-table.ts";

export interface FunnelStep extends DescribedDemand {
  /** How many types are left after it. */
  readonly left: number;
}

export interface PoolPicture {
  readonly name: string;
  readonly hostedCluster: string | undefined;
  /** Its place among the tables; undefined where nobody here knows the provider's types. */
  readonly table: number | undefined;
  readonly steps: readonly FunnelStep[];
  /** By type of the table the step that took it away, from 1; 0 for a type that is left. One for all pools with the same. */
  readonly fate: Uint16Array;
  /** Whether it takes Spot capacity and none on demand. */
  readonly isSpot: boolean;
}

export interface ExplainedPictures {
  readonly tables: readonly TypeTable[];
  readonly pools: readonly PoolPicture[];
  readonly overlaps: readonly PictureOverlap[];
}

/** @param isAsked which pools are drawn; that they overlap with others is told all the same */
export function explainedPictures(
  clusters: readonly ExplainedCluster[],
  isAsked: (pool: { readonly name: string }) => boolean = () => true,
): ExplainedPictures {
  const tables = new TypeTables();
  const pools = clusters.flatMap(({ explanations, market }) =>
    explanations
      .filter(({ pool }) => isAsked(pool))
      .map((explanation): PoolPicture => {
        const { pool, demands } = explanation;
        const { left, fate } = funnelOf(demands, market);
        return {
          name: pool.name,
          hostedCluster: pool.hostedCluster,
          table: market.typesUnknown === true ? undefined : tables.placeOf(market),
          steps:
            market.typesUnknown === true
              ? []
              : demands.map((demand, at) => ({ ...describeDemand(demand), left: left[at]! })),
          fate,
          isSpot: isSpot(explanation),
        };
      }),
  );
  const overlaps = clusters
    .flatMap(overlapsOf)
    .filter(({ first, second }) => isAsked({ name: first }) || isAsked({ name: second }));
  return { tables: tables.tables, pools, overlaps };
}

function isSpot({ requirements }: PoolExplanation): boolean {
  const asked = requirements.find(({ key }) => key === "karpenter.sh/capacity-type")?.effective;
  return asked !== undefined && has(asked, "spot") && !has(asked, "on-demand");
}
