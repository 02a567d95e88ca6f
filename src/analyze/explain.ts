/** `anp explain` over hosted clusters: bundles and a catalogue in, every pool explained out. */
import { withReservedCapacity } from "../karpenter/reserved-capacity.ts";
import { typeFilter } from "../karpenter/type-filter.ts";
import type { Catalogue } from "../karpenter/catalogue.ts";
import type { Bundle } from "../model/bundle.ts";
import { type RenderContext, renderContext } from "../resolve/render-context.ts";
import { type RenderOptions, settingsOf } from "../resolve/settings.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { type Pool, poolsOf } from "../resolve/pool.ts";
import type { Market } from "./remaining-types.ts";

/** What the answers are made from, for people. */
export interface DescribedCatalogue {
  readonly source: string;
  readonly date: string;
}

export interface ExplainedCluster {
  readonly bundle: Bundle;
  readonly context: RenderContext;
  readonly market: Market;
  readonly pools: readonly Pool[];
  /** In the order of `pools`. */
  readonly explanations: readonly PoolExplanation[];
}

/** A hosted cluster whose policy or settings cannot be read has no explanation: its findings are rendering's. */
export function explainClusters(
  bundles: readonly Bundle[],
  options: RenderOptions,
  catalogue: Catalogue,
): ExplainedCluster[] {
  const filter = typeFilter(withReservedCapacity(catalogue));
  return bundles.flatMap((bundle) => {
    const settings = settingsOf(bundle, options).value;
    const context = settings && renderContext(bundle, settings).value;
    if (context === undefined) return [];
    const market = { filter, profile: context.settings.profile };
    const pools = poolsOf(bundle, context);
    return [{ bundle, context, market, pools, explanations: pools.map((pool) => explainPool(pool, market)) }];
  });
}
