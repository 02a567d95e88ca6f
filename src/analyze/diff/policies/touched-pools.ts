/** The pools that a changed policy affects. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import { poolUnder, type ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { explainPool } from "../../explain/explain-pool.ts";
import type { PoolExplanation, Verdict } from "../../explain/explanation.ts";
import type { InstanceTypes } from "../../explain/remaining-types.ts";

export interface TouchedPool {
  readonly name: string;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict };
  /** The number of instance types gained and lost. */
  readonly types: { readonly gained: number; readonly lost: number };
}

/**
 * Pools with a changed verdict, changed instance types, or changed requirements on labels that types do not determine.
 */
export function touchedPools(
  pools: readonly ResolvedPool[],
  from: EffectivePolicy,
  to: EffectivePolicy,
  knownTypes: InstanceTypes,
): TouchedPool[] {
  return pools.flatMap((pool) => {
    const [old, now] = [explainPool(poolUnder(pool, from), knownTypes), explainPool(poolUnder(pool, to), knownTypes)];
    const [before, after] = [new Set(old.instanceTypes.names), new Set(now.instanceTypes.names)];
    const types = { gained: after.difference(before).size, lost: before.difference(after).size };
    const same = types.gained === 0 && types.lost === 0 && old.verdict === now.verdict;
    if (same && otherLabels(old, knownTypes.filter.catalogue) === otherLabels(now, knownTypes.filter.catalogue))
      return [];
    return [{ name: pool.name, verdict: { from: old.verdict, to: now.verdict }, types }];
  });
}

/** Requirements on zones, capacity types and custom labels, which an instance type does not determine. */
function otherLabels({ requirements }: PoolExplanation, { labels }: Catalogue): string {
  const asked = requirements.filter(({ key }) => !labels.has(key));
  return asked
    .map(({ effective }) => `${identityOf(effective)}|${String(effective.minValues)}`)
    .toSorted()
    .join("\n");
}
