/** What a policy would make of a raw pool if its entries stood before its own. */
import { type Catalogue, UNKNOWN } from "../../karpenter/catalogue/catalogue.ts";
import { indexesOf } from "../../karpenter/catalogue/type-mask.ts";
import { admitsNoMore } from "../../karpenter/requirements/admits-no-more.ts";
import { labelPresence } from "../../karpenter/requirements/label-presence.ts";
import { admitsAbsence, has, intersection, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { once } from "../../model/once.ts";
import type { Demand } from "../../resolve/demands.ts";
import type { EffectivePolicy } from "../../resolve/policy.ts";
import { poolUnder, type ResolvedPool } from "../../resolve/resolve-pool.ts";
import { explainPool } from "./explain-pool.ts";
import type { PoolExplanation } from "./explanation.ts";
import { type Market, remainingTypes } from "./remaining-types.ts";

export interface UnderPolicy {
  /** `within`: the pool admits nothing that the policy does not. Else what would become of it. */
  readonly verdict: "within" | "narrowed" | "unsatisfiable" | "bypassed";
  /** Of the keys on which it admits more than the policy does. */
  readonly beyond: readonly BeyondPolicy[];
  /** Of the pool with the policy's entries before its own. */
  readonly explanation: PoolExplanation;
}

export interface BeyondPolicy {
  readonly key: string;
  readonly policy: readonly Demand[];
  /** Empty where the pool says nothing of the key. */
  readonly user: readonly Demand[];
}

/** @param policy one that was read; its root volume is not looked at */
export function underPolicy(pool: ResolvedPool, policy: EffectivePolicy, market: Market): UnderPolicy {
  const under = poolUnder(pool, policy);
  const explanation = explainPool(under, market);
  const types = once(() => indexesOf(remainingTypes(pool.demands, market).types));
  const groups = Map.groupBy(under.asked, ({ requirement }) => requirement.key);
  const beyond = [...groups].flatMap(([key, demands]): BeyondPolicy[] => {
    const [ofPolicy, user] = [demands.filter(isOfPolicy), demands.filter((demand) => !isOfPolicy(demand))];
    if (ofPolicy.length === 0) return [];
    const merged = { policy: together(ofPolicy)!, own: together(user) };
    const held =
      admitsNoMore(merged.own, merged.policy, labelPresence(key, market.filter.catalogue)) ||
      (market.typesUnknown !== true && typesAdmitted(types(), merged, pool, market.filter.catalogue));
    return held ? [] : [{ key, policy: ofPolicy, user }];
  });
  return { verdict: verdictOf(beyond, explanation), beyond, explanation };
}

function verdictOf(beyond: readonly BeyondPolicy[], { verdict }: PoolExplanation): UnderPolicy["verdict"] {
  if (beyond.length === 0) return "within";
  return verdict === "unsatisfiable" || verdict === "bypassed" ? verdict : "narrowed";
}

function isOfPolicy({ from }: Demand): boolean {
  return from === "policy";
}

function together(demands: readonly Demand[]): Requirement | undefined {
  const [first, ...others] = demands.map(({ requirement }) => requirement);
  return first && others.reduce(intersection, first);
}

/**
 * Whether the policy admits what the types that the pool leaves have for the label: who asks for m5 asks for nothing
 * else than category m, whatever the pool says of categories.
 */
function typesAdmitted(
  types: readonly number[],
  { policy, own }: { readonly policy: Requirement; readonly own: Requirement | undefined },
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
