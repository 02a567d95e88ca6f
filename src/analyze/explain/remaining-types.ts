/** The instance types that remain under a list of demands, as Karpenter merges them by key. */
import { minValuesOf } from "../../karpenter/requirements/min-values.ts";
import { asWritten, has } from "../../karpenter/requirements/requirement.ts";
import { addRequirements, mergedByKey, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { advertisedValues, type TypeFilter, typesOf } from "../../karpenter/catalogue/type-filter.ts";
import { both, countTypes, indexesOf, maskOf, type TypeMask } from "../../karpenter/catalogue/type-mask.ts";
import type { ClusterOverlays } from "../../karpenter/catalogue/node-overlays.ts";
import type { PriceIndex } from "../../karpenter/catalogue/price-index.ts";
import { MOST_TYPES } from "../../karpenter/catalogue/price-index.ts";
import { isOrderSure } from "../../karpenter/solver/launchable.ts";
import type { Profile } from "../../model/crds/profile.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { refusedKeys } from "./refused-claim.ts";
import type { AskedRequirement } from "../../resolve/pool-requirements.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

export interface Remaining {
  /** The merged requirements of the NodePool, without those of its node class. */
  readonly requirements: Requirements;
  readonly types: TypeMask;
  /** Keys with a minValues that cannot be reached, and the number of values that remain. */
  readonly shortfall: ReadonlyMap<string, number>;
}

/** The instance types to filter, and the Karpenter version that filters. */
export interface InstanceTypes {
  readonly filter: TypeFilter;
  readonly profile: Profile;
  /** The options that Karpenter runs with. If undefined, no answer depends on them. */
  readonly karpenter?: KarpenterOptions | undefined;
  /** The NodeOverlays that Karpenter applies. */
  readonly overlays?: ClusterOverlays | undefined;
  /** The types of the provider are unknown. The single type in the filter then represents any type. */
  readonly typesUnknown?: true;
  /**
   * Whether the pool is static. The requirements of its NodeClaims decide then
   * (docs/upstream/karpenter.md#static-pools).
   */
  readonly isStatic?: boolean | undefined;
  /** The types that the limits of the pool allow while it has no nodes. Undefined if limits are not considered. */
  readonly withinLimits?: TypeMask | undefined;
  /** The EC2NodeClass of a pool as Karpenter gets it; it returns undefined if the class is unknown. */
  readonly nodeClassOf?: ((pool: ResolvedPool) => unknown) | undefined;
  /** Undefined if prices are not wanted. */
  readonly prices?: PriceIndex | undefined;
}

export function remainingTypes(demands: readonly AskedRequirement[], knownTypes: InstanceTypes): Remaining {
  const requirements = mergedByKey(demands.filter((demand) => !isOfClass(demand)).map(requirementOfDemand));
  const ofClass = mergedByKey(demands.filter(isOfClass).map(requirementOfDemand));
  const launchedFor = knownTypes.isStatic === true ? mergedByKey(requirements.values().map(asWritten)) : requirements;
  const matching = typesOf(launchedFor, ofClass, knownTypes.filter);
  const types = knownTypes.withinLimits === undefined ? matching : both(matching, knownTypes.withinLimits);
  const refused = isRelaxed(knownTypes) ? [] : refusedKeys(types, launchedFor, ofClass, knownTypes.filter.catalogue);
  const shortfall = shortfallOf(types, launchedFor, ofClass, knownTypes);
  const missed = knownTypes.isStatic === true ? undefined : missedByCheapest(types, launchedFor, ofClass, knownTypes);
  const ofCheapest = missed?.isCertain === true ? missed.shortfall : [];
  return { requirements, types, shortfall: new Map([...refused, ...ofCheapest, ...shortfall]) };
}

export interface MissedByCheapest {
  /** By key, the number of values that the cheapest types have. */
  readonly shortfall: Remaining["shortfall"];
  /** False if Karpenter may sort by other prices, or over fewer types, than are known. */
  readonly isCertain: boolean;
}

/** Undefined if every minValues is met (docs/upstream/karpenter.md#minvalues), or no prices are known. */
export function missedByCheapest(
  types: TypeMask,
  requirements: Requirements,
  ofClass: Requirements,
  knownTypes: InstanceTypes,
): MissedByCheapest | undefined {
  const { prices, filter } = knownTypes;
  const { catalogue } = filter;
  const asks = [...requirements.values()].some(({ minValues }) => minValues !== undefined);
  if (!asks || prices === undefined || isRelaxed(knownTypes) || countTypes(types) <= MOST_TYPES) return undefined;
  const offered = addRequirements(requirements, ofClass);
  const sorted = prices.prices(types, offered).perHour.map(({ type }) => type);
  const priced = new Set(sorted);
  const others = indexesOf(types).flatMap((type) => {
    const name = catalogue.names[type]!;
    return priced.has(name) ? [] : [name];
  });
  const cheapest = new Set([...sorted, ...others].slice(0, MOST_TYPES));
  const left = both(
    types,
    maskOf(catalogue.names.length, (type) => cheapest.has(catalogue.names[type]!)),
  );
  const shortfall = shortfallOf(left, requirements, ofClass, knownTypes);
  if (shortfall.size === 0) return undefined;
  return { shortfall, isCertain: isOrderSure(offered, catalogue) };
}

/** Keys with a minValues that these instance types cannot reach, and the number of values that they have. */
export function shortfallOf(
  types: TypeMask,
  requirements: Requirements,
  ofClass: Requirements,
  knownTypes: InstanceTypes,
): Remaining["shortfall"] {
  const { filter, profile } = knownTypes;
  if (![...requirements.values()].some(({ minValues }) => minValues !== undefined)) return new Map();
  const advertised = indexesOf(types).map((type) => (key: string) => {
    const needed = ofClass.get(key);
    const values = advertisedValues(filter.catalogue, type, key);
    return needed === undefined ? values : (values ?? [...needed.values]).filter((value) => has(needed, value));
  });
  const { shortfall } = minValuesOf(advertised, requirements, profile === "karpenter-1.15");
  return isRelaxed(knownTypes) ? new Map([...shortfall].filter(([, found]) => found === 0)) : shortfall;
}

/**
 * Whether Karpenter lowers a minValues that it cannot reach to what it finds (docs/upstream/karpenter.md#minvalues). The
 * API server still refuses 0.
 */
function isRelaxed({ karpenter }: InstanceTypes): boolean {
  return karpenter?.minValuesPolicy === "BestEffort";
}

function isOfClass({ from }: AskedRequirement): boolean {
  return from === "class";
}

function requirementOfDemand({ requirement }: AskedRequirement) {
  return requirement;
}

export interface DemandMasks {
  readonly passing: readonly TypeMask[];
  /**
   * The types that every other demand admits. Each demand is evaluated alone, so contradictions that Karpenter ignores
   * have no effect here.
   */
  readonly others: readonly TypeMask[];
  readonly every: TypeMask;
}

/** All masks are in the order of the demands. */
export function demandMasks(demands: readonly AskedRequirement[], filter: TypeFilter): DemandMasks {
  const passing = demands.map(({ requirement }) => filter.compatible(new Map([[requirement.key, requirement]])));
  const before = [filter.all];
  for (const mask of passing) before.push(filter.meet(before.at(-1)!, mask));
  const others: TypeMask[] = [];
  let after = filter.all;
  for (let index = demands.length - 1; index >= 0; index--) {
    others[index] = filter.meet(before[index]!, after);
    after = filter.meet(after, passing[index]!);
  }
  return { passing, others, every: after };
}
