/** Whether a pool will get nodes, and from which instance types. */
import { ZONE } from "../../model/requirements/label-keys.ts";
import { formatRequirement, has, isEmpty, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import type { MergedKey } from "../../karpenter/requirements/merged-key.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { both, countTypes, indexesOf, isNone, without } from "../../karpenter/catalogue/type-mask.ts";
import { refusedKubelet, unreadExpressions } from "../../karpenter/node-class/refused-kubelet.ts";
import { withoutStaticCapacity } from "../../karpenter/scheduling/no-nodes.ts";
import { formatFieldPath, quotedField } from "../../krm/places/field-path.ts";
import { locationOf } from "../../krm/places/location.ts";
import { describeResource } from "../../krm/places/resource.ts";
import { memoize, memoizeByObject } from "../../model/schema/memoize.ts";
import { crowdingOf } from "../../render/merge-requirements.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { Place } from "../../resolve/origin.ts";
import { POLICY_REQUIREMENTS } from "../../resolve/policy.ts";
import { BLOCKER } from "../../resolve/guarded-list.ts";
import { mergedIn, type ResolvedPool, type PlacedNoNodes } from "../../resolve/resolve-pool.ts";
import {
  type DemandMasks,
  demandMasks,
  type InstanceTypes,
  type Remaining,
  remainingTypes,
} from "./remaining-types.ts";
import { otherConflicts, smallestConflict } from "./conflict.ts";
import type {
  Elimination,
  KeyExplanation,
  KeyOutcome,
  Obstacle,
  PoolExplanation,
  Verdict,
  Zones,
} from "./explanation.ts";
import { describeLimits, limitsBelowTypes, typesForPool, typesOfNodes } from "./pool-limits.ts";
import { isOfNamesOnly } from "./lone-entries.ts";
import { poolPrices } from "./pool-prices.ts";
import { isUnsatisfiableAnyway, unknownParts } from "./unknown-parts.ts";
import { newerInstanceType } from "./unknown-types.ts";

/** With parts that placeholders decide, the pool gets no nodes for certain, or nothing is certain. */
export function explainPool(pool: ResolvedPool, asked: InstanceTypes): PoolExplanation {
  const explanation = explainKnown(pool, asked);
  const unknown = unknownParts(pool);
  if (unknown.length === 0 || isUnsatisfiableAnyway(explanation, unknown)) return explanation;
  return {
    ...explanation,
    unknown,
    verdict: "unknown",
    obstacles: [],
    conflict: [],
    otherConflicts: () => [],
    noNodes: [],
  };
}

/** The pool as far as it is known. */
function explainKnown(pool: ResolvedPool, asked: InstanceTypes): PoolExplanation {
  const knownTypes = typesForPool(pool, asked);
  const { catalogue } = knownTypes.filter;
  const requirements = explainKeys(pool, pool.asked, catalogue);
  const demands = withReservations(pool, [...pool.demands, ...blockerOf(pool, requirements)], knownTypes);
  const { withinLimits } = knownTypes;
  const withoutLimits = remainingTypes(demands, { ...knownTypes, withinLimits: undefined });
  // Most limits exclude no type that is left.
  const isLimited = withinLimits !== undefined && !isNone(without(withoutLimits.types, withinLimits));
  const remaining = isLimited ? remainingTypes(demands, knownTypes) : withoutLimits;
  // Computed on demand: only some reports show what each entry excludes and costs.
  const masks = memoize(() => demandMasks(demands, knownTypes.filter));
  const isBelowTypes = isNone(remaining.types) && !isNone(withoutLimits.types);
  const conflict = isBelowTypes ? [] : smallestConflict(demands, knownTypes, remaining);
  // A node that expires at once was launched nevertheless, so this is not an obstacle.
  const noNodes = pool.noNodes.filter(({ code }) => code !== "expires-at-once");
  noNodes.push(...refusedClass(pool, knownTypes), ...staticWithoutGate(pool, knownTypes));
  if (isBelowTypes) noNodes.push(limitsBelowTypes(pool, withoutLimits.types, typesOfNodes(pool, knownTypes)));
  const obstacles = obstaclesOf({
    remaining: isBelowTypes ? withoutLimits : remaining,
    requirements,
    conflict,
    noNodes,
  });
  const unread = unreadClass(pool, knownTypes);
  const explanation: PoolExplanation = {
    pool,
    demands,
    verdict: verdictOf(obstacles, requirements, unread, knownTypes),
    unknown: [],
    obstacles,
    requirements: demands.length === pool.demands.length ? requirements : explainKeys(pool, demands, catalogue),
    instanceTypes: knownTypes.typesUnknown
      ? { total: 0, names: [] }
      : {
          total: catalogue.names.length,
          names: indexesOf(remaining.types).map((type) => catalogue.names[type]!),
        },
    eliminated: () => (knownTypes.typesUnknown ? [] : eliminations(demands, masks(), remaining, knownTypes)),
    conflict,
    otherConflicts: () => otherConflicts(demands, conflict, knownTypes),
    remaining,
    noNodes,
    unread,
    limits: () => describeLimits(pool, withoutLimits.types, () => typesOfNodes(pool, knownTypes)),
    zones: zonesOf(remaining, catalogue),
    prices: poolPrices(demands, masks, remaining, knownTypes),
  };
  if (obstacles.length === 0 || !asksForNamesOnly(requirements, catalogue)) return explanation;
  // What keeps away an instance type of which nothing is known keeps away those of which only the name is.
  const ofUnknown = explainKnown(pool, newerInstanceType(asked));
  const { conflict: ofName, otherConflicts: others, obstacles: left } = ofUnknown;
  const verdict = left.length === 0 ? "unknown" : explanation.verdict;
  return { ...explanation, verdict, obstacles: left, conflict: ofName, otherConflicts: others };
}

function asksForNamesOnly(requirements: readonly KeyExplanation[], catalogue: Catalogue): boolean {
  return requirements.some(
    ({ key, effective }) =>
      !effective.complement && [...effective.values].some((value) => isOfNamesOnly(catalogue, key, value)),
  );
}

/**
 * What the class requires of reservations is no demand of a pool that does not ask for them, unless it excludes a type:
 * one that only reserved capacity could offer.
 */
function withReservations(
  { reservations }: ResolvedPool,
  demands: readonly PoolRequirement[],
  knownTypes: InstanceTypes,
): readonly PoolRequirement[] {
  const others = reservations.filter((one) => !demands.includes(one));
  if (others.length === 0 || knownTypes.filter.catalogue.shipped === true) return demands;
  const all = [...demands, ...others];
  const count = (some: readonly PoolRequirement[]): number => countTypes(remainingTypes(some, knownTypes).types);
  return count(all) === count(demands) ? demands : all;
}

/** A class whose kubelet settings Karpenter refuses does not become ready. The first mistake is enough. */
function refusedClass({ mode, provider, nodeClass }: ResolvedPool, knownTypes: InstanceTypes): PlacedNoNodes[] {
  if (mode !== "raw" || provider.name !== "aws" || nodeClass === undefined) return [];
  const { profile, karpenter, filter } = knownTypes;
  return refusedKubelet(nodeClass.value, { profile, karpenter, catalogue: filter.catalogue })
    .slice(0, 1)
    .map(({ path, message, hint }) => ({
      code: "node-class-invalid",
      place: { resource: nodeClass, path },
      message: `${describeResource(nodeClass)}: ${quotedField(path)} ${message}`,
      hint,
    }));
}

function unreadClass({ mode, provider, nodeClass }: ResolvedPool, { profile, karpenter }: InstanceTypes): string[] {
  if (mode !== "raw" || provider.name !== "aws" || nodeClass === undefined) return [];
  return unreadExpressions(nodeClass.value, { profile, karpenter }).map(
    ({ path }) =>
      `the expression ${formatFieldPath(path)} of ${describeResource(nodeClass)} (${locationOf(nodeClass, path)})`,
  );
}

function staticWithoutGate(
  { replicas, wrapper, nodeClassRef: { group } }: ResolvedPool,
  { karpenter }: InstanceTypes,
): PlacedNoNodes[] {
  const found = withoutStaticCapacity({ replicas, group }, karpenter);
  return found.map(({ path, ...words }) => ({ ...words, place: { resource: wrapper, path } }));
}

function explainKeys(pool: ResolvedPool, demands: readonly PoolRequirement[], catalogue: Catalogue): KeyExplanation[] {
  const ofOthers = new Set(pool.foreign.map(({ demand }) => demand.requirement.key));
  const asked = demands.filter(({ from }) => from !== "class");
  return [...Map.groupBy(asked, ({ requirement }) => requirement.key)].map(([key, group]) => {
    const merged = knownIn(pool, key, group, catalogue);
    return {
      key,
      policy: group.filter(({ from }) => from === "policy"),
      user: group.filter(({ from }) => from !== "policy"),
      effective: merged.effective,
      outcome: outcomeOf(merged, ofOthers.has(key)),
    };
  });
}

/** Reuses the key that resolving has merged, if the catalogue and the provider agree on the label. */
function knownIn(pool: ResolvedPool, key: string, group: readonly PoolRequirement[], catalogue: Catalogue): MergedKey {
  const known = pool.merged.find((one) => one.key === key);
  const isSame = known?.presence === labelPresence(key, catalogue) && known.demands.length === group.length;
  return isSame ? known : mergedIn(pool, key, group, catalogue);
}

/** The outcome as in `anp explain -o json` (docs/explain.md#for-programs). */
function outcomeOf({ outcome, policy, user, effective }: MergedKey, foreign: boolean): KeyOutcome {
  if (outcome === "bypassed") return isEmpty(effective) ? "empty-bypassed" : "widened";
  if (foreign) return "foreign";
  if (outcome === "blocking") return "empty-blocking";
  if (outcome === "ignored" || outcome === "drifts" || outcome === "undecided") return outcome;
  if (user === undefined) return "policy-only";
  if (policy === undefined) return "user-only";
  // The print form shows five values at most, so the sets are compared too.
  const same =
    formatRequirement(effective) === formatRequirement(user) &&
    effective.values.symmetricDifference(user.values).size === 0;
  return same ? "same" : "narrowed";
}

function isBypass({ outcome }: KeyExplanation): boolean {
  return outcome === "empty-bypassed" || outcome === "widened";
}

/**
 * A pool asks for a key itself, or for nodes that do not drift. An ignored entry of the policy alone takes nothing from
 * it.
 */
function isNotAsAsked({ outcome, user }: KeyExplanation): boolean {
  if (outcome === "narrowed" || outcome === "drifts" || outcome === "foreign") return true;
  return outcome === "ignored" && user.length > 0;
}

/** The entry that rendering adds to block a pool that would bypass the policy, unless it refuses the pool. */
function blockerOf(pool: ResolvedPool, requirements: readonly KeyExplanation[]): PoolRequirement[] {
  if (pool.onBypass === "Fail") return [];
  const place = requirements.find(isBypass)?.policy[0]?.place ?? placeOfCrowding(pool);
  if (place === undefined) return [];
  return [{ from: "policy", place, requirement: requirementOf(BLOCKER) }];
}

/** The policy's list, if the pool has so many entries that the policy's do not fit. */
function placeOfCrowding(pool: ResolvedPool): Place | undefined {
  const { policy, asked } = pool;
  const entries = asked.filter(({ from }) => from !== "label").length;
  if (policy === undefined || crowdingOf(pool, entries) === undefined) return undefined;
  return { resource: policy, path: POLICY_REQUIREMENTS };
}

function verdictOf(
  obstacles: readonly Obstacle[],
  requirements: readonly KeyExplanation[],
  unread: PoolExplanation["unread"],
  { typesUnknown }: InstanceTypes,
): Verdict {
  if (isUnsatisfiable({ obstacles })) return "unsatisfiable";
  if (requirements.some(isBypass)) return "bypassed";
  if (obstacles.length > 0) return "unsatisfiable";
  if (unread.length > 0) return "unknown";
  if (requirements.some(isNotAsAsked)) return "narrowed";
  return typesUnknown ? "unknown" : "ok";
}

/** Whether a pool gets no nodes whatever feature gates are on. Rules of a provider must not depend on those. */
export function isUnsatisfiable({ obstacles }: Pick<PoolExplanation, "obstacles">): boolean {
  return obstacles.some((obstacle) => obstacle !== "static-capacity-off");
}

/**
 * Counts only types that are excluded in the end. A contradiction may admit types again
 * (docs/upstream/karpenter.md#absent-labels).
 */
function eliminations(
  demands: readonly PoolRequirement[],
  { passing, others }: DemandMasks,
  { types }: Remaining,
  { filter, withinLimits = filter.all }: InstanceTypes,
): Elimination[] {
  const gone = without(filter.all, types);
  const found = demands.flatMap((demand, index): Elimination[] => {
    if (passing[index] === filter.all) return [];
    const ruledOut = without(gone, passing[index]!);
    return [
      { demand, types: countTypes(ruledOut), only: countTypes(both(both(ruledOut, withinLimits), others[index]!)) },
    ];
  });
  return found.filter(({ types: count }) => count > 0).toSorted((a, b) => b.types - a.types || b.only - a.only);
}

const knownZones = memoizeByObject(({ offerings }: Catalogue): readonly string[] => {
  const known = offerings.sets.flatMap((set) =>
    set.flatMap((offering) => [...(offering.requirements.get(ZONE)?.values ?? [])]),
  );
  return [...new Set(known)].toSorted();
});

function zonesOf({ requirements }: Remaining, catalogue: Catalogue): Zones {
  const asked = requirements.get(ZONE);
  const zones = knownZones(catalogue);
  const allowed = zones.filter((zone) => asked === undefined || has(asked, zone));
  return { allowed, excluded: zones.filter((zone) => !allowed.includes(zone)) };
}

interface Asked {
  readonly remaining: Remaining;
  readonly requirements: readonly KeyExplanation[];
  /** The smallest set of demands that together leave nothing. */
  readonly conflict: readonly PoolRequirement[];
  /** The reasons that do not depend on instance types. */
  readonly noNodes: readonly PlacedNoNodes[];
}

/** Used by `anp explain` and `anp check`, so that both agree. */
function obstaclesOf({ remaining: { types, shortfall }, requirements, conflict, noNodes }: Asked): Obstacle[] {
  const blocking = new Set(requirements.filter(({ outcome }) => outcome === "empty-blocking").map(({ key }) => key));
  const isOfBlockedKey = ({ from, requirement: { key } }: PoolRequirement): boolean =>
    from !== "class" && blocking.has(key);
  return [
    ...(blocking.size > 0 ? ["requirements-conflict" as const] : []),
    ...(isNone(types) && !(blocking.size > 0 && conflict.every(isOfBlockedKey)) ? ["pool-unsatisfiable" as const] : []),
    ...(!isNone(types) && shortfall.size > 0 ? ["min-values-unreachable" as const] : []),
    ...noNodes.map(({ code }) => code),
  ];
}
