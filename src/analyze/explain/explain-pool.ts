/** Whether a pool will get nodes, and from which instance types. */
import { formatRequirement, has, isEmpty, requirementOf } from "../../karpenter/requirements/requirement.ts";
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import type { MergedKey } from "../../karpenter/requirements/merged-key.ts";
import type { Catalogue } from "../../karpenter/catalogue/catalogue.ts";
import { both, countTypes, indexesOf, without } from "../../karpenter/catalogue/type-mask.ts";
import { once, oncePerObject } from "../../model/once.ts";
import type { Demand } from "../../resolve/demands.ts";
import { mergeDemands } from "../../resolve/merge-demands.ts";
import { BLOCKER, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import { type DemandMasks, demandMasks } from "./demand-masks.ts";
import { otherConflicts, smallestConflict } from "./conflict.ts";
import type { Elimination, KeyExplanation, KeyOutcome, PoolExplanation, Verdict, Zones } from "./explanation.ts";
import { type Obstacle, obstaclesOf } from "./obstacles.ts";
import { poolPrices } from "./pool-prices.ts";
import { type Market, type Remaining, remainingTypes } from "./remaining-types.ts";

export function explainPool(pool: ResolvedPool, market: Market): PoolExplanation {
  const { catalogue } = market.filter;
  const requirements = explainKeys(pool, pool.asked, catalogue);
  const demands = [...pool.demands, ...blockerOf(pool, requirements)];
  const remaining = remainingTypes(demands, market);
  // Only who tells of each entry asks what it rules out, and what it costs.
  const masks = once(() => demandMasks(demands, market.filter));
  const conflict = smallestConflict(demands, market, remaining);
  // A node that expires at once has come all the same.
  const noNodes = pool.noNodes.filter(({ code }) => code !== "expires-at-once");
  const obstacles = obstaclesOf({ remaining, requirements, conflict, noNodes });
  return {
    pool,
    demands,
    verdict: verdictOf(obstacles, requirements, market),
    obstacles,
    requirements: demands.length === pool.demands.length ? requirements : explainKeys(pool, demands, catalogue),
    instanceTypes: market.typesUnknown
      ? { total: 0, names: [] }
      : {
          total: catalogue.names.length,
          names: indexesOf(remaining.types).map((type) => catalogue.names[type]!),
        },
    eliminated: () => (market.typesUnknown ? [] : eliminations(demands, masks(), remaining, market)),
    conflict,
    otherConflicts: () => otherConflicts(demands, conflict, market),
    remaining,
    noNodes,
    zones: zonesOf(remaining, catalogue),
    prices: poolPrices(demands, masks, remaining, market),
  };
}

function explainKeys(pool: ResolvedPool, demands: readonly Demand[], catalogue: Catalogue): KeyExplanation[] {
  const ofOthers = new Set(pool.foreign.map(({ demand }) => demand.requirement.key));
  const asked = demands.filter(({ from }) => from !== "class");
  return [...Map.groupBy(asked, ({ requirement }) => requirement.key)].map(([key, group]) => {
    const merged = mergedIn(pool, key, group, catalogue);
    return {
      key,
      policy: group.filter(({ from }) => from === "policy"),
      user: group.filter(({ from }) => from !== "policy"),
      effective: merged.effective,
      outcome: outcomeOf(merged, ofOthers.has(key)),
    };
  });
}

/** What is known already, where the catalogue knows the label as the pool's provider does. */
function mergedIn({ merged }: ResolvedPool, key: string, group: readonly Demand[], catalogue: Catalogue): MergedKey {
  const known = merged.find((one) => one.key === key);
  const isSame = known?.presence === labelPresence(key, catalogue) && known.demands.length === group.length;
  return isSame ? known : mergeDemands(key, group, catalogue);
}

/** The words of `anp explain -o json` (docs/explain.md#for-programs). */
function outcomeOf({ outcome, policy, user, effective }: MergedKey, foreign: boolean): KeyOutcome {
  if (outcome === "bypassed") return isEmpty(effective) ? "empty-bypassed" : "widened";
  if (foreign) return "foreign";
  if (outcome === "blocking") return "empty-blocking";
  if (outcome === "ignored" || outcome === "drifts") return outcome;
  if (user === undefined) return "policy-only";
  if (policy === undefined) return "user-only";
  // The print form leaves out values beyond five.
  const same =
    formatRequirement(effective) === formatRequirement(user) &&
    effective.values.symmetricDifference(user.values).size === 0;
  return same ? "same" : "narrowed";
}

function isBypass({ outcome }: KeyExplanation): boolean {
  return outcome === "empty-bypassed" || outcome === "widened";
}

/** What the policy's own entries come to is nothing that the pool has asked for; that its nodes stay everybody asks. */
function isNotAsAsked({ outcome, user }: KeyExplanation): boolean {
  if (outcome === "narrowed" || outcome === "drifts" || outcome === "foreign") return true;
  return outcome === "ignored" && user.length > 0;
}

/** What rendering adds to a pool that would get round the policy, where it does not refuse it. */
function blockerOf(pool: ResolvedPool, requirements: readonly KeyExplanation[]): Demand[] {
  const place = requirements.find(isBypass)?.policy[0]?.place;
  if (place === undefined || pool.onBypass === "Fail") return [];
  return [{ from: "policy", place, requirement: requirementOf(BLOCKER) }];
}

function verdictOf(
  obstacles: readonly Obstacle[],
  requirements: readonly KeyExplanation[],
  { typesUnknown }: Market,
): Verdict {
  if (obstacles.length > 0) return "unsatisfiable";
  if (requirements.some(isBypass)) return "bypassed";
  if (requirements.some(isNotAsAsked)) return "narrowed";
  return typesUnknown ? "unknown" : "ok";
}

/**
 * Only of types that are gone: what a contradiction lets pass again, no demand has ruled out
 * (docs/upstream/karpenter.md#absent-labels).
 */
function eliminations(
  demands: readonly Demand[],
  { passing, others }: DemandMasks,
  { types }: Remaining,
  { filter }: Market,
): Elimination[] {
  const gone = without(filter.all, types);
  const found = demands.flatMap((demand, index): Elimination[] => {
    if (passing[index] === filter.all) return [];
    const ruledOut = without(gone, passing[index]!);
    return [{ demand, types: countTypes(ruledOut), only: countTypes(both(ruledOut, others[index]!)) }];
  });
  return found.filter(({ types: count }) => count > 0).toSorted((a, b) => b.types - a.types || b.only - a.only);
}

const ZONE = "topology.kubernetes.io/zone";

const knownZones = oncePerObject(({ offerings }: Catalogue): readonly string[] => {
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
