/** Pools that differ by their zones alone and have the same weight. */
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import { hasIntersection, type Requirement } from "../../../karpenter/requirements/requirement.ts";
import { poolOrder, weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import { taintsOf } from "../taints-of.ts";

const ZONE = "topology.kubernetes.io/zone";

/** The one whose name comes last is tried first (docs/upstream/karpenter.md#order-of-pools), and any pod fits it. */
export function zonePoolsTie({ pools, explanations }: ExplainedCluster): Finding[] {
  const useful = new Set(explanations.filter(({ verdict }) => verdict !== "unsatisfiable").map(({ pool }) => pool));
  const zoned = poolOrder(pools.filter((pool) => useful.has(pool) && zonesOf(pool) !== undefined));
  return [...Map.groupBy(zoned, allButZones).values()].flatMap((group) =>
    group.flatMap((pool, index) => {
      // Pools with zones in common are another finding.
      const first = group.slice(0, index).find((other) => !hasIntersection(zonesOf(other)!, zonesOf(pool)!));
      return first === undefined ? [] : [describe(first, pool)];
    }),
  );
}

function zonesOf({ merged }: ResolvedPool): Requirement | undefined {
  return merged.find(({ key }) => key === ZONE)?.effective;
}

/** Everything that decides which pods a pool takes. */
function allButZones(pool: ResolvedPool): string {
  const { kind, name } = pool.nodeClassRef;
  const asked = pool.merged.filter(({ key }) => key !== ZONE).map(({ effective }) => identityOf(effective));
  return JSON.stringify([weightOf(pool), taintsOf(pool), kind, name, asked.toSorted()]);
}

function describe(first: ResolvedPool, pool: ResolvedPool): Finding {
  const weight = weightOf(first);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(pool.wrapper)} differs from ${first.name} by its zones alone, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet, and pods that name no zone all go there`;
  const hint = "make one pool of them with all the zones, and let pods spread by topologySpreadConstraints";
  const path = pool.spec.weight === undefined ? ["metadata", "name"] : ["spec", "weight"];
  return findingAt("zone-pools-tie", pool.wrapper, path, { message, hint });
}
