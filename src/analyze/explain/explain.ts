/** `anp explain` over hosted clusters: every pool explained. */
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import type { Market } from "./remaining-types.ts";

/** What the answers are made from, for people. */
export interface DescribedCatalogue {
  readonly source: string;
  readonly date: string;
}

export interface ExplainedCluster extends ResolvedCluster {
  readonly inputs: ResolvedInputs;
  readonly market: Market;
  /** In the order of `pools`. */
  readonly explanations: readonly PoolExplanation[];
}

/** A hosted cluster whose policy or settings cannot be read has no explanation: its findings are rendering's. */
export function explainClusters(clusters: readonly ResolvedCluster[], catalogue: Catalogue): ExplainedCluster[] {
  const filter = offeredTypes(catalogue);
  return clusters.flatMap((cluster) => {
    const { inputs, pools } = cluster;
    if (inputs === undefined) return [];
    const market = { filter, profile: inputs.settings.profile };
    return [{ ...cluster, inputs, market, explanations: pools.map((pool) => explainPool(pool, market)) }];
  });
}
