/** Whether Karpenter would delete nodes, or replace them with a cheaper one, or why not. */
import { CAPACITY_TYPE } from "../../model/requirements/label-keys.ts";
import { advertisedValues } from "../catalogue/type-filter.ts";
import { has, type Requirement, requirementOf } from "../requirements/requirement.ts";
import { minValuesOf } from "../requirements/min-values.ts";
import { addRequirements, labelRequirements, type Requirements } from "../requirements/requirements.ts";
import { indexesOf, maskOf } from "../catalogue/type-mask.ts";
import { CHEAPER_SPOT_TYPES } from "../../model/settings/karpenter-options.ts";
import { MOST_TYPES } from "../catalogue/price-index.ts";
import type { PlannedClaim } from "../solver/world.ts";
import type { Candidate, Command, Replacement, RunningCluster } from "./cluster.ts";
import { type FailedPod, removeNodes } from "./remove-nodes.ts";

/** Why nodes are not consolidated. */
export type NotConsolidated =
  /** Or a price that decides is not known. */
  | { readonly why: "no-pools" | "spot-to-spot-off" | "price-unknown" }
  /** The cheapest of the types that would do; undefined if they have no price. */
  | { readonly why: "not-cheaper"; readonly cheapest: number | undefined }
  | { readonly why: "pods"; readonly failed: readonly FailedPod[] }
  | { readonly why: "several-nodes"; readonly claims: readonly PlannedClaim[] }
  | { readonly why: "few-cheaper-types"; readonly cheaper: number }
  /** With the cheaper types alone, the minValues of these keys are not reached. */
  | { readonly why: "min-values"; readonly shortfall: ReadonlyMap<string, number> };

const SPOT = requirementOf({ key: CAPACITY_TYPE, operator: "In", values: ["spot"] });
const ANY: Requirement = requirementOf({ key: CAPACITY_TYPE, operator: "Exists" });

/** `computeConsolidation` (pkg/controllers/disruption/consolidation.go). */
export function consolidate(cluster: RunningCluster, candidates: readonly Candidate[]): Command | NotConsolidated {
  const removal = removeNodes(
    cluster,
    candidates.map(({ node }) => node),
    { sparesNew: true },
  );
  if (removal === "no-pools") return { why: removal };
  const { claims, existing, failed } = removal;
  if (failed.length > 0) return { why: "pods", failed };
  const [claim, ...more] = claims;
  if (claim === undefined) return { candidates, decision: "delete", replacements: [], existing };
  if (more.length > 0) return { why: "several-nodes", claims };
  const price = candidates.reduce((sum, one) => sum + one.price, 0);
  const capacity = claim.requirements.get(CAPACITY_TYPE) ?? ANY;
  const fromSpot = candidates.every(({ capacityType }) => capacityType === "spot");
  const isSpotForSpot = fromSpot && has(capacity, "spot");
  if (isSpotForSpot && !cluster.spotToSpot) return { why: "spot-to-spot-off" };
  if (isUnpriced(cluster, candidates, capacity)) return { why: "price-unknown" };
  const replaced = isSpotForSpot
    ? spotForSpot(cluster, claim, price, candidates.length)
    : cheaperThan(cluster, inOrder(cluster, claim), price);
  if ("why" in replaced) return replaced;
  // A price was compared for Spot, so a node on demand must not be launched instead.
  const isEither = has(capacity, "spot") && has(capacity, "on-demand");
  const replacement = isEither ? withSpot(replaced) : replaced;
  return { candidates, decision: "replace", replacements: [cut(replacement, cluster)], existing };
}

/** Karpenter compares the price of Spot if a replacement may be Spot. */
function isUnpriced({ unpriced }: RunningCluster, candidates: readonly Candidate[], capacity: Requirement): boolean {
  if (unpriced.size === 0) return false;
  const first = ["spot", "on-demand"].find((one) => has(capacity, one));
  return [...candidates.map(({ capacityType }) => capacityType), first].some((one) => unpriced.has(one ?? ""));
}

/** A claim of the types that are left. */
export function cut({ claim, types }: Replacement, { catalogue }: RunningCluster): Replacement {
  const left = new Set(types);
  return { claim: { ...claim, types: maskOf(catalogue.names.length, (type) => left.has(type)) }, types };
}

/** `OrderByPrice`; equal prices by name. */
export function inOrder({ prices }: RunningCluster, claim: PlannedClaim): Replacement {
  const asked = offeredTo(claim);
  const priceOf = new Map(indexesOf(claim.types).map((type) => [type, prices.cheapest(type, asked) ?? Infinity]));
  const types = [...priceOf.keys()].toSorted((a, b) => {
    const [mine, theirs] = [priceOf.get(a)!, priceOf.get(b)!];
    return mine === theirs ? a - b : mine - theirs;
  });
  return { claim, types: types.slice(0, MOST_TYPES) };
}

function offeredTo({ requirements, pool }: PlannedClaim): Requirements {
  return addRequirements(requirements, pool.ofClass);
}

function withSpot({ claim, types }: Replacement): Replacement {
  const requirements = addRequirements(claim.requirements, new Map([[CAPACITY_TYPE, SPOT]]));
  return { claim: { ...claim, requirements }, types };
}

/** `RemoveInstanceTypeOptionsByPriceAndMinValues` (nodeclaim.go). */
function cheaperThan(
  cluster: RunningCluster,
  { claim, types }: Replacement,
  price: number,
): Replacement | NotConsolidated {
  const asked = offeredTo(claim);
  const cheaper = types.filter((type) => cluster.prices.worst(type, asked) < price);
  const { shortfall } = minimaOf(cluster, claim, cheaper);
  if (shortfall.size > 0) return { why: "min-values", shortfall };
  return cheaper.length === 0 ? { why: "not-cheaper", cheapest: types[0] } : { claim, types: cheaper };
}

function minimaOf({ base, catalogue }: RunningCluster, claim: PlannedClaim, types: readonly number[]) {
  const advertised = types.map((type) => (key: string) => {
    const needed = claim.pool.ofClass.get(key);
    const values = advertisedValues(catalogue, type, key);
    return needed === undefined ? values : (values ?? [...needed.values]).filter((value) => has(needed, value));
  });
  return minValuesOf(advertised, claim.requirements, base.countsOnlyAllowed);
}

/** `computeSpotToSpotConsolidation`. */
function spotForSpot(
  cluster: RunningCluster,
  given: PlannedClaim,
  price: number,
  nodes: number,
): Replacement | NotConsolidated {
  const ordered = inOrder(cluster, given);
  const { claim } = withSpot(ordered);
  const asked = offeredTo(claim);
  const offered = ordered.types.filter((type) => cluster.prices.cheapest(type, asked) !== undefined);
  const cheaper = cheaperThan(cluster, { claim, types: offered }, price);
  if ("why" in cheaper || nodes > 1) return cheaper;
  const { types } = cheaper;
  if (types.length < CHEAPER_SPOT_TYPES) return { why: "few-cheaper-types", cheaper: types.length };
  const { needed } = minimaOf(cluster, claim, types);
  return { claim, types: types.slice(0, Math.max(CHEAPER_SPOT_TYPES, needed)) };
}

/** `filterOutSameInstanceType` (multinodeconsolidation.go): one of the nodes could just stay. */
export function withoutSameType(
  cluster: RunningCluster,
  replacement: Replacement,
  candidates: readonly Candidate[],
): Replacement | NotConsolidated {
  const least = new Map<number, number>();
  for (const { type, node } of candidates) {
    const price = cluster.prices.ofLabels(type!, labelRequirements(node.labels));
    const known = least.get(type!);
    least.set(type!, Math.min(known ?? Infinity, price ?? Infinity));
  }
  const own = replacement.types.flatMap((type) => {
    const price = least.get(type);
    return price === undefined ? [] : [price === Infinity ? 0 : price];
  });
  return cheaperThan(cluster, replacement, Math.min(...own, Number.MAX_VALUE));
}

/** `EstimatedSavings` (types.go), an hour. */
export function savingsOf({ prices }: RunningCluster, { candidates, replacements }: Command): number {
  const before = candidates.reduce((sum, { price }) => sum + price, 0);
  const after = replacements.map(({ claim, types }) =>
    types.length === 0 ? 0 : (prices.cheapest(types[0]!, offeredTo(claim)) ?? 0),
  );
  return before - after.reduce((sum, price) => sum + price, 0);
}
