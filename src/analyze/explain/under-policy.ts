/** Judges a raw pool as if a policy's entries came before its own. */
import { type Catalogue, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import { isSubset } from "../../karpenter/requirements/is-subset.ts";
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import {
  admitsAbsence,
  asWritten,
  has,
  intersection,
  isEmpty,
  type Requirement,
} from "../../karpenter/requirements/requirement.ts";
import { memoize } from "../../model/schema/memoize.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { labelOfClass, poolUnder, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { typesForPool } from "./pool-limits.ts";
import { type InstanceTypes, remainingTypes } from "./remaining-types.ts";

export interface UnderPolicy {
  /** `within`: the pool admits only what the policy admits. Otherwise the result under the policy. */
  readonly verdict: "within" | "narrowed" | "unsatisfiable" | "bypassed";
  /** The keys on which the pool admits more than the policy. */
  readonly beyond: readonly BeyondPolicy[];
  /** The explanation of the pool with the policy's entries before its own. */
  readonly explanation: PoolExplanation;
}

export interface BeyondPolicy {
  readonly key: string;
  readonly policy: readonly PoolRequirement[];
  /** Empty if the pool has no entry for the key. */
  readonly user: readonly PoolRequirement[];
}

/**
 * Whatever options Karpenter runs with.
 *
 * @param policy the policy to judge by; its root volume is not considered
 */
export function underPolicy(pool: ResolvedPool, policy: EffectivePolicy, asked: InstanceTypes): UnderPolicy {
  const knownTypes = { ...asked, karpenter: undefined, overlays: undefined };
  const under = poolUnder(pool, policy);
  const explanation = explainPool(under, knownTypes);
  const beyond = beyondIn(pool, under, knownTypes);
  return { verdict: verdictOf(beyond, explanation), beyond, explanation };
}

/** The keys alone. Most pools need no instance types for them. */
export function keysBeyond(pool: ResolvedPool, policy: EffectivePolicy, knownTypes: InstanceTypes): string[] {
  return beyondIn(pool, poolUnder(pool, policy), knownTypes).map(({ key }) => key);
}

/** @param under the pool with the policy's entries before its own */
function beyondIn(pool: ResolvedPool, under: ResolvedPool, knownTypes: InstanceTypes): BeyondPolicy[] {
  const types = memoize(() => indexesOf(remainingTypes(pool.demands, typesForPool(pool, knownTypes)).types));
  const groups = Map.groupBy(under.asked, ({ requirement }) => requirement.key);
  return [...groups].flatMap(([key, demands]): BeyondPolicy[] => {
    const [ofPolicy, user] = [demands.filter(isOfPolicy), demands.filter((demand) => !isOfPolicy(demand))];
    if (ofPolicy.length === 0) return [];
    const merged = { policy: together(ofPolicy)!, own: ownOf(pool, user, knownTypes.filter.catalogue) };
    const held =
      isWithin(merged, pool, knownTypes.filter.catalogue) ||
      (knownTypes.typesUnknown !== true && typesAdmitted(types(), merged, pool, knownTypes.filter.catalogue));
    return held ? [] : [{ key, policy: ofPolicy, user }];
  });
}

interface Sides {
  readonly policy: Requirement;
  /** Undefined if the pool has no entry for the key. */
  readonly own: Requirement | undefined;
}

/** The pool's own requirement as launches see it. A NodeClaim of a static pool loses a part of its requirements. */
function ownOf(
  { replicas }: ResolvedPool,
  user: readonly PoolRequirement[],
  catalogue: Catalogue,
): Requirement | undefined {
  const own = together(user);
  const isLost = own !== undefined && replicas !== undefined && labelPresence(own.key, catalogue) !== "custom";
  return isLost ? asWritten(own) : own;
}

/** Compares the requirements alone, without instance types. */
function isWithin({ policy, own }: Sides, pool: ResolvedPool, catalogue: Catalogue): boolean {
  const presence = labelPresence(policy.key, catalogue);
  const ofClass = presence === "class" ? labelOfClass(pool, policy.key) : undefined;
  const asked = ofClass === undefined || own === undefined ? (own ?? ofClass) : intersection(own, ofClass);
  return isSubset(asked, policy, ofClass === undefined || isEmpty(ofClass) ? presence : "always");
}

function verdictOf(beyond: readonly BeyondPolicy[], { verdict }: PoolExplanation): UnderPolicy["verdict"] {
  if (beyond.length === 0) return "within";
  return verdict === "unsatisfiable" || verdict === "bypassed" ? verdict : "narrowed";
}

function isOfPolicy({ from }: PoolRequirement): boolean {
  return from === "policy";
}

function together(demands: readonly PoolRequirement[]): Requirement | undefined {
  const [first, ...others] = demands.map(({ requirement }) => requirement);
  return first && others.reduce(intersection, first);
}

/**
 * Whether the policy admits the label values of all remaining types. A pool that asks for family m5 gets only category
 * m, even if it has no entry for categories.
 */
function typesAdmitted(
  types: readonly number[],
  { policy, own }: Sides,
  { demands }: ResolvedPool,
  { labels }: Catalogue,
): boolean {
  const { key } = policy;
  const column = labels.get(key);
  if (column === undefined || types.length === 0) return false;
  const ofClass = demands.filter(({ from, requirement }) => from === "class" && requirement.key === key);
  const comes = (value: string): boolean =>
    (own === undefined || has(own, value)) && ofClass.every(({ requirement }) => has(requirement, value));
  return types.every((type) => {
    const at = column.of[type] ?? UNKNOWN;
    if (at === UNKNOWN) return false;
    const { values } = column.sets[at]!;
    const coming = [...values].filter(comes);
    return values.size === 0 ? admitsAbsence(policy) : coming.every((value) => has(policy, value));
  });
}
