/** The instance types over which the pools of each cluster are compared. */
import type { InputMode } from "../../../model/objects/input-mode.ts";
import { memoizeByObject } from "../../../model/schema/memoize.ts";
import { DEFAULT_PROFILE, type Profile, RAW_PROFILE } from "../../../model/crds/profile.ts";
import { type CatalogueFor, priceIndexes, type PricesFor } from "../../explain/explain.ts";
import { knownInstanceTypes } from "../../explain/known-instance-types.ts";
import type { Provider } from "../../../karpenter/provider/provider.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";
import type { Settings } from "../../../resolve/settings.ts";

/** Returns the instance types for a provider's pools in a cluster with these settings. */
export type ClusterInstanceTypes = (settings: Settings | undefined, provider: Provider) => InstanceTypes;

/**
 * @param catalogueFor called only if a NodePool differs
 * @param profile that the command line names
 * @param pricesFor called with the catalogue
 */
export function clusterInstanceTypes(
  catalogueFor: CatalogueFor,
  mode: InputMode,
  profile: Profile | undefined,
  pricesFor: PricesFor = () => undefined,
): ClusterInstanceTypes {
  const typesOf = memoizeByObject(knownInstanceTypes);
  const assumed = profile ?? (mode === "raw" ? RAW_PROFILE : DEFAULT_PROFILE);
  return (settings, provider) => {
    const planned = settings?.profile ?? assumed;
    const types = typesOf(catalogueFor(settings))({ mode, provider, profile: planned });
    const prices = types.typesUnknown === true ? undefined : pricesFor(settings);
    return {
      ...types,
      profile: planned,
      prices: prices && priceIndexes(types.filter.catalogue)(prices),
    };
  };
}
