/** Rule: pools of equal weight that differ only by their zones. */
import { ZONE } from "../../../model/requirements/label-keys.ts";
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import { hasIntersection, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import { poolOrder, weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { firstMatches, taintsOf } from "../overlapping.ts";

/**
 * Karpenter tries the last name first (docs/upstream/karpenter.md#order-of-pools), and any pod without a zone fits that
 * pool.
 */
export function zonePoolsTie({ pools, explanations }: ExplainedCluster): Finding[] {
  const useful = new Set(explanations.filter(({ verdict }) => verdict !== "unsatisfiable").map(({ pool }) => pool));
  const zoned = poolOrder(pools.filter((pool) => useful.has(pool) && zonesOf(pool) !== undefined));
  return [...Map.groupBy(zoned, allButZones).values()].flatMap((group) =>
    // Pools with common zones have a finding of their own.
    firstMatches(
      group,
      (pool) => identityOf(zonesOf(pool)!),
      (first, second) => !hasIntersection(zonesOf(first)!, zonesOf(second)!),
    ).flatMap((first, index) => (first === undefined ? [] : [describe(first, group[index]!)])),
  );
}

function zonesOf({ merged }: ResolvedPool): Requirement | undefined {
  return merged.find(({ key }) => key === ZONE)?.effective;
}

/** Everything but zones that decides which pods a pool takes. */
function allButZones(pool: ResolvedPool): string {
  const { kind, name } = pool.nodeClassRef;
  const asked = pool.merged.filter(({ key }) => key !== ZONE).map(({ effective }) => identityOf(effective));
  return JSON.stringify([weightOf(pool), taintsOf(pool), kind, name, asked.toSorted()]);
}

function describe(first: ResolvedPool, pool: ResolvedPool): Finding {
  const weight = weightOf(first);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(pool.wrapper)} differs from ${first.name} only by its zones, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet, and pods that name no zone all go there`;
  const hint = "merge them into one pool with all the zones, and spread pods with topologySpreadConstraints";
  const path = pool.spec.weight === undefined ? ["metadata", "name"] : ["spec", "weight"];
  return findingAt("zone-pools-tie", pool.wrapper, path, { message, hint });
}
