/** The data for pictures of explained pools: which entry removes which instance types. */
import type { DescribedDemand } from "../explain/pool-answer.ts";
import { has } from "../../karpenter/requirements/requirement.ts";
import { describeDemand } from "../explain/describe-demand.ts";
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
  /** Its index in `tables`; undefined if the types of the provider are unknown. */
  readonly table: number | undefined;
  readonly steps: readonly FunnelStep[];
  /**
   * For each type of the table the step that removed it, from 1; 0 for a remaining type. Shared by pools with the same
   * result.
   */
  readonly fate: Uint16Array;
  /** Whether it uses Spot capacity only. */
  readonly isSpot: boolean;
}

export interface ExplainedPictures {
  readonly tables: readonly TypeTable[];
  readonly pools: readonly PoolPicture[];
  readonly overlaps: readonly PictureOverlap[];
}

/** @param isAsked selects the pools to draw; their overlaps with other pools are included */
export function explainedPictures(
  clusters: readonly ExplainedCluster[],
  isAsked: (pool: { readonly name: string }) => boolean = () => true,
): ExplainedPictures {
  const tables = new TypeTables();
  const pools = clusters.flatMap(({ explanations, knownTypes }) =>
    explanations
      .filter(({ pool }) => isAsked(pool))
      .map((explanation): PoolPicture => {
        const { pool, demands } = explanation;
        const { left, fate } = funnelOf(demands, knownTypes);
        return {
          name: pool.name,
          hostedCluster: pool.hostedCluster,
          table: knownTypes.typesUnknown === true ? undefined : tables.placeOf(knownTypes),
          steps:
            knownTypes.typesUnknown === true
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
