/** `anp explain` over hosted clusters: every pool explained. */
import type { Provider } from "../../karpenter/provider/provider.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { once, oncePer, oncePerObject } from "../../model/once.ts";
import { unknownTypes } from "./unknown-types.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { priceIndex } from "../../karpenter/catalogue/price-index.ts";
import type { Settings } from "../../resolve/settings.ts";
import type { Catalogue, CataloguePrices } from "../../karpenter/catalogue/catalogue.ts";
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

/** The types of a provider; where nobody knows them, one of which nothing is known. */
function rawFilter(catalogue: Catalogue) {
  return (provider: Provider): Omit<Market, "profile"> => {
    const types = provider.typesOf(catalogue);
    if (types !== undefined) return { filter: offeredTypes(types) };
    return { filter: typeFilter(unknownTypes(provider.labels)), typesUnknown: true };
  };
}

/** The prices that are told of a hosted cluster, by its settings, if any; undefined where nobody asks or knows any. */
export type PricesFor = (settings?: Settings) => CataloguePrices | undefined;

/** One for all clusters that have the same types at the same prices. */
const indexes = oncePerObject((catalogue: Catalogue) =>
  oncePerObject((prices: CataloguePrices) => priceIndex(catalogue, prices)),
);

/** A hosted cluster whose policy or settings cannot be read has no explanation: its findings are rendering's. */
export function explainClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue,
  pricesFor: PricesFor = () => undefined,
): ExplainedCluster[] {
  const filters = { hosted: once(() => offeredTypes(catalogue)), raw: oncePer(rawFilter(catalogue)) };
  return clusters.flatMap((cluster) => {
    const { mode, provider, inputs, pools } = cluster;
    if (inputs === undefined) return [];
    const types = mode === "hosted" ? { filter: filters.hosted() } : filters.raw(provider);
    const { settings } = inputs;
    const prices = "typesUnknown" in types ? undefined : pricesFor(settings);
    const indexed = prices === undefined ? undefined : indexes(types.filter.catalogue)(prices);
    const market = { ...types, profile: settings.profile, prices: indexed };
    return [{ ...cluster, inputs, market, explanations: pools.map((pool) => explainPool(pool, market)) }];
  });
}
