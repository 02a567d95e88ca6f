/** Of the input's pools those to which another policy makes a difference. */
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import { poolUnder, type ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { explainPool } from "../../explain/explain-pool.ts";
import type { PoolExplanation, Verdict } from "../../explain/explanation.ts";
import type { Market } from "../../explain/remaining-types.ts";

export interface TouchedPool {
  readonly name: string;
  readonly verdict: { readonly from: Verdict; readonly to: Verdict };
  /** How many instance types come and go. */
  readonly types: { readonly gained: number; readonly lost: number };
}

/** Those whose verdict or instance types change, or what they come to on a label that no instance type settles. */
export function touchedPools(
  pools: readonly ResolvedPool[],
  from: EffectivePolicy,
  to: EffectivePolicy,
  market: Market,
): TouchedPool[] {
  return pools.flatMap((pool) => {
    const [old, now] = [explainPool(poolUnder(pool, from), market), explainPool(poolUnder(pool, to), market)];
    const [before, after] = [new Set(old.instanceTypes.names), new Set(now.instanceTypes.names)];
    const types = { gained: after.difference(before).size, lost: before.difference(after).size };
    const same = types.gained === 0 && types.lost === 0 && old.verdict === now.verdict;
    if (same && otherLabels(old, market.filter.catalogue) === otherLabels(now, market.filter.catalogue)) return [];
    return [{ name: pool.name, verdict: { from: old.verdict, to: now.verdict }, types }];
  });
}

/** Zones, capacity types and custom labels: an instance type comes with several, or with none. */
function otherLabels({ requirements }: PoolExplanation, { labels }: Catalogue): string {
  const asked = requirements.filter(({ key }) => !labels.has(key));
  return asked
    .map(({ effective }) => `${identityOf(effective)}|${String(effective.minValues)}`)
    .toSorted()
    .join("\n");
}
