/** Over which instance types the pools of each cluster are compared. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import type { InputMode } from "../../../model/input-mode.ts";
import { oncePerObject } from "../../../model/once.ts";
import { DEFAULT_PROFILE, type Profile, RAW_PROFILE } from "../../../model/profile.ts";
import { marketTypes } from "../../explain/market-types.ts";
import type { ClusterMarkets, SideCluster } from "../compare-clusters.ts";

/**
 * @param catalogueOf of a cluster; asked for only where one of its NodePools differs
 * @param profile that the command line names
 */
export function clusterMarkets(
  catalogueOf: (cluster: SideCluster) => Catalogue,
  mode: InputMode,
  profile: Profile | undefined,
): ClusterMarkets {
  const typesOf = oncePerObject(marketTypes);
  const assumed = profile ?? (mode === "raw" ? RAW_PROFILE : DEFAULT_PROFILE);
  return (cluster, provider) => ({
    ...typesOf(catalogueOf(cluster))({ mode, provider }),
    profile: cluster.profile ?? assumed,
  });
}
