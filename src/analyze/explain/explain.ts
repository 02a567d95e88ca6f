/** `anp explain` over hosted clusters: every pool explained. */
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { priceIndex } from "../../karpenter/catalogue/price-index.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { Catalogue, CataloguePrices } from "../../karpenter/catalogue/catalogue.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { knownInstanceTypes } from "./known-instance-types.ts";
import type { InstanceTypes } from "./remaining-types.ts";

export interface ExplainedCluster extends ResolvedCluster {
  readonly inputs: ResolvedInputs;
  readonly knownTypes: InstanceTypes;
  /** In the order of `pools`. */
  readonly explanations: readonly PoolExplanation[];
}

/** Returns the prices for a hosted cluster; undefined if none are known or wanted. */
export type PricesFor = (settings?: Settings) => CataloguePrices | undefined;

/** Returns the catalogue of a hosted cluster; without settings the usual one. */
export type CatalogueFor = (settings?: Pick<Settings, "config" | "resource">) => Catalogue;

/** Memoized, because many clusters have the same types at the same prices. */
export const priceIndexes = memoizeByObject((catalogue: Catalogue) =>
  memoizeByObject((prices: CataloguePrices) => priceIndex(catalogue, prices)),
);

/**
 * Skips hosted clusters with an unreadable policy or RenderConfig. Rendering reports those.
 *
 * @param catalogue one for all clusters, or a function that returns the one of each
 */
export function explainClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue | CatalogueFor,
  pricesFor: PricesFor = () => undefined,
): ExplainedCluster[] {
  const typesOf = memoizeByObject(knownInstanceTypes);
  const catalogueOf = typeof catalogue === "function" ? catalogue : () => catalogue;
  return clusters.flatMap((cluster) => {
    const { mode, provider, inputs, pools } = cluster;
    if (inputs === undefined) return [];
    const { settings } = inputs;
    const types = typesOf(catalogueOf(settings))({ mode, provider, profile: settings.profile });
    const prices = "typesUnknown" in types ? undefined : pricesFor(settings);
    const indexed = prices === undefined ? undefined : priceIndexes(types.filter.catalogue)(prices);
    const knownTypes = { ...types, profile: settings.profile, prices: indexed };
    return [{ ...cluster, inputs, knownTypes, explanations: pools.map((pool) => explainPool(pool, knownTypes)) }];
  });
}
