/** `anp explain` over hosted clusters: every pool explained, over the known instance types. */
import type { Catalogue, CataloguePrices } from "../../karpenter/catalogue/catalogue.ts";
import {
  type ClusterOverlays,
  comparableOverlays,
  type OverlaidPool,
  overlaysOn,
} from "../../karpenter/catalogue/node-overlays.ts";
import { priceIndex, type PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { regionOfPools } from "../../karpenter/catalogue/price-region.ts";
import { typesOfProfile } from "../../karpenter/node-class/node-resources.ts";
import { offeredTypes } from "../../karpenter/catalogue/reserved-capacity.ts";
import { typeFilter } from "../../karpenter/catalogue/type-filter.ts";
import { AWS } from "../../karpenter/provider/aws.ts";
import type { Provider } from "../../karpenter/provider/provider.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { InputMode } from "../../model/objects/input-mode.ts";
import { memoize, memoizeByKey, memoizeByObject } from "../../model/schema/memoize.ts";
import { isRootDevice } from "../../render/block-devices.ts";
import { renderEC2NodeClass } from "../../render/render-ec2-node-class.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { Settings } from "../../resolve/settings.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import type { InstanceTypes } from "./remaining-types.ts";
import { unknownTypes } from "./unknown-types.ts";

export interface ExplainedCluster extends ResolvedCluster {
  readonly inputs: ResolvedInputs;
  readonly knownTypes: InstanceTypes;
  /** In the order of `pools`. */
  readonly explanations: readonly PoolExplanation[];
}

/**
 * Returns the prices for a hosted cluster; undefined if none are known or wanted. `ofPools` is the region that its
 * pools' zones name, which counts if nothing else names one.
 */
export type PricesFor = (settings?: Settings, ofPools?: string) => CataloguePrices | undefined;

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
 * @param overlaid whether prices are those that NodeOverlays set. A ceiling on prices must not depend on their authors.
 */
export function explainClusters(
  clusters: readonly ResolvedCluster[],
  catalogue: Catalogue | CatalogueFor,
  pricesFor: PricesFor = () => undefined,
  overlaid = false,
): ExplainedCluster[] {
  const catalogueFor = typeof catalogue === "function" ? catalogue : () => catalogue;
  return clusters.flatMap((cluster) => {
    const { mode, provider, inputs, pools } = cluster;
    if (inputs === undefined) return [];
    const { settings } = inputs;
    const asked = { mode, provider, profile: settings.profile };
    const ofPools = regionOfPools(pools);
    const known = instanceTypesOf(settings, asked, { catalogueFor, pricesFor }, ofPools);
    const overlays = overlaysOf(known, pools);
    const nodeClasses = memoizeByKey((pool: ResolvedPool) => nodeClassOf(pool, cluster));
    const knownTypes = { ...known, overlays, nodeClassOf: nodeClasses };
    const prices = overlays === undefined || !overlaid ? undefined : pricesFor(settings, ofPools);
    const explanations = pools.map((pool) =>
      explainPool(
        pool,
        prices === undefined ? knownTypes : { ...knownTypes, prices: overlaidPrices(pool, knownTypes, prices) },
      ),
    );
    return [{ ...cluster, inputs, knownTypes, explanations }];
  });
}

/** The NodeOverlays that Karpenter applies to the instance types of pools; undefined if there are none. */
export function overlaysOf(
  { karpenter, typesUnknown, filter }: InstanceTypes,
  pools: readonly OverlaidPool[],
): ClusterOverlays | undefined {
  const overlays = comparableOverlays(karpenter?.overlays ?? [], pools);
  if (overlays.size === 0 || typesUnknown === true) return undefined;
  return overlaysOn(filter.catalogue, overlays, pools);
}

function overlaidPrices(
  { name }: ResolvedPool,
  { overlays, filter }: InstanceTypes,
  prices: CataloguePrices,
): PriceIndex | undefined {
  if (overlays === undefined) return undefined;
  const [catalogue, overlaid] = overlays.withPrices(name, filter.catalogue)(prices);
  return priceIndexes(catalogue)(overlaid);
}

/** The root volume of HyperShift's operator (docs/upstream/hypershift.md#ec2nodeclass). */
const OPERATOR_SIZE = "120Gi";

/** The EC2NodeClass that a pool's nodes are made from. Undefined if it is missing, invalid or of another provider. */
function nodeClassOf(pool: ResolvedPool, { bundle, inputs, nodeClasses }: ResolvedCluster): unknown {
  const { mode, provider, nodeClass, nodeClassRef } = pool;
  if (provider !== AWS) return undefined;
  if (mode === "raw" || inputs === undefined) return nodeClass?.value;
  const made = bundle.operatorOutput.find(({ kind, name }) => kind === nodeClassRef.kind && name === nodeClassRef.name);
  if (mode === "shipped" && made !== undefined) return made.value;
  const read = nodeClasses.find(({ wrapper }) => wrapper.name === nodeClassRef.name);
  if (read?.value === undefined) return undefined;
  if (inputs.settings.renderNodeClasses) return renderEC2NodeClass(read, inputs).value?.object;
  const devices = read.value.spec.blockDeviceMappings ?? [];
  // The operator adds no root volume to a list without one.
  if (devices.length > 0 && !devices.some(isRootDevice)) return undefined;
  const { rootVolume } = inputs;
  const ofOperator = { ...rootVolume, value: { ...rootVolume.value, volumeSize: OPERATOR_SIZE }, replacesUsers: false };
  return renderEC2NodeClass(read, { ...inputs, rootVolume: ofOperator }).value?.object;
}

interface Asked {
  readonly mode: InputMode;
  readonly provider: Provider;
  readonly profile: Profile;
}

interface Sources {
  readonly catalogueFor: CatalogueFor;
  /** Called only if the catalogue has the provider's types. */
  readonly pricesFor: PricesFor;
}

/**
 * The instance types of a cluster's pools, with their prices.
 *
 * @param settings of a hosted cluster
 * @param ofPools the region that their zones name
 */
export function instanceTypesOf(
  settings: Settings | undefined,
  asked: Asked,
  { catalogueFor, pricesFor }: Sources,
  ofPools?: string,
): InstanceTypes {
  const types = typesOf(catalogueFor(settings))(asked);
  const prices = types.typesUnknown === true ? undefined : pricesFor(settings, ofPools);
  const { profile } = asked;
  return {
    ...types,
    profile,
    karpenter: settings?.karpenter,
    prices: prices && priceIndexes(types.filter.catalogue)(prices),
  };
}

/** Shared by all clusters with the same catalogue. The pools of a hosted cluster are all of one provider. */
const typesOf = memoizeByObject((catalogue: Catalogue) => {
  const ofProfile = memoizeByKey((profile: Profile) => {
    const offered = (types: Catalogue): Omit<InstanceTypes, "profile"> => ({
      filter: offeredTypes(typesOfProfile(types, profile)),
    });
    const hosted = memoize(() => offered(catalogue));
    const raw = memoizeByKey((provider: Provider): Omit<InstanceTypes, "profile"> => {
      const types = provider.typesOf(catalogue);
      if (types !== undefined) return offered(types);
      // The types of this provider are unknown: one type without labels represents all.
      return { filter: typeFilter(unknownTypes(provider.labels)), typesUnknown: true };
    });
    return { hosted, raw };
  });
  return ({ mode, provider, profile }: Asked) => {
    const { hosted, raw } = ofProfile(profile);
    return mode === "raw" ? raw(provider) : hosted();
  };
});
