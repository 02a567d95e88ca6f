/** Over which instance types the pools of each cluster are compared. */
import type { InputMode } from "../../../model/input-mode.ts";
import { oncePerObject } from "../../../model/once.ts";
import { DEFAULT_PROFILE, type Profile, RAW_PROFILE } from "../../../model/profile.ts";
import { type CatalogueFor, priceIndexes, type PricesFor } from "../../explain/explain.ts";
import { marketTypes } from "../../explain/market-types.ts";
import type { ClusterMarkets } from "../compare-clusters.ts";

/**
 * @param catalogueFor asked for only where a NodePool differs
 * @param profile that the command line names
 * @param pricesFor asked for with the catalogue
 */
export function clusterMarkets(
  catalogueFor: CatalogueFor,
  mode: InputMode,
  profile: Profile | undefined,
  pricesFor: PricesFor = () => undefined,
): ClusterMarkets {
  const typesOf = oncePerObject(marketTypes);
  const assumed = profile ?? (mode === "raw" ? RAW_PROFILE : DEFAULT_PROFILE);
  return (cluster, provider) => {
    const settings = cluster?.settings;
    const types = typesOf(catalogueFor(settings))({ mode, provider });
    const prices = types.typesUnknown === true ? undefined : pricesFor(settings);
    return {
      ...types,
      profile: settings?.profile ?? assumed,
      prices: prices && priceIndexes(types.filter.catalogue)(prices),
    };
  };
}
