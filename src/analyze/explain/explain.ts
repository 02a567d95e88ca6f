/** `anp explain` over hosted clusters: every pool explained. */
import { oncePerObject } from "../../model/once.ts";
import { priceIndex } from "../../karpenter/catalogue/price-index.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { Catalogue, CataloguePrices } from "../../karpenter/catalogue/catalogue.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { marketTypes } from "./market-types.ts";
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

/** The prices that are told of a hosted cluster, by its settings, if any; undefined where nobody asks or knows any. */
export type PricesFor = (settings?: Settings) => CataloguePrices | undefined;

/** The instance types that a hosted cluster is asked about, by its settings; without any, those of everybody else. */
export type CatalogueFor = (settings?: Pick<Settings, "config" | "resource">) => Catalogue;

/** One for all clusters that have the same types at the same prices. */
export const priceIndexes = oncePerObject((catalogue: Catalogue) =>
  oncePerObject((prices: CataloguePrices) => priceIndex(catalogue, prices)),
);

/**
 * A hosted cluster whose policy or settings cannot be read has no explanation: its findings are rendering's.
 *
 * @param catalogue one for all of them, or each one's own
 */
export function explainClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue | CatalogueFor,
  pricesFor: PricesFor = () => undefined,
): ExplainedCluster[] {
  const typesOf = oncePerObject(marketTypes);
  const catalogueOf = typeof catalogue === "function" ? catalogue : () => catalogue;
  return clusters.flatMap((cluster) => {
    const { mode, provider, inputs, pools } = cluster;
    if (inputs === undefined) return [];
    const { settings } = inputs;
    const types = typesOf(catalogueOf(settings))({ mode, provider });
    const prices = "typesUnknown" in types ? undefined : pricesFor(settings);
    const indexed = prices === undefined ? undefined : priceIndexes(types.filter.catalogue)(prices);
    const market = { ...types, profile: settings.profile, prices: indexed };
    return [{ ...cluster, inputs, market, explanations: pools.map((pool) => explainPool(pool, market)) }];
  });
}
