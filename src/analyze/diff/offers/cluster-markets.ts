/** Over which instance types the pools of each cluster are compared. */
import type { Catalogue, CataloguePrices } from "../../../karpenter/catalogue/catalogue.ts";
import type { InputMode } from "../../../model/input-mode.ts";
import { oncePerObject } from "../../../model/once.ts";
import { DEFAULT_PROFILE, type Profile, RAW_PROFILE } from "../../../model/profile.ts";
import { priceIndexes } from "../../explain/explain.ts";
import { marketTypes } from "../../explain/market-types.ts";
import type { ClusterMarkets, SideCluster } from "../compare-clusters.ts";

/**
 * @param catalogueOf of a cluster; asked for only where one of its NodePools differs
 * @param profile that the command line names
 * @param pricesOf what the types of the catalogue cost the cluster; undefined where nobody knows
 */
export function clusterMarkets(
  catalogueOf: (cluster: SideCluster) => Catalogue,
  mode: InputMode,
  profile: Profile | undefined,
  pricesOf: (catalogue: Catalogue, cluster: SideCluster) => CataloguePrices | undefined = () => undefined,
): ClusterMarkets {
  const typesOf = oncePerObject(marketTypes);
  const assumed = profile ?? (mode === "raw" ? RAW_PROFILE : DEFAULT_PROFILE);
  return (cluster, provider) => {
    const catalogue = catalogueOf(cluster);
    const types = typesOf(catalogue)({ mode, provider });
    const prices = types.typesUnknown === true ? undefined : pricesOf(catalogue, cluster);
    return {
      ...types,
      profile: cluster.profile ?? assumed,
      prices: prices && priceIndexes(types.filter.catalogue)(prices),
    };
  };
}
