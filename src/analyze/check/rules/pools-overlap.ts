/** Rule: pools of equal weight that can take the same pods. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { firstOverlaps, type TriedPool, triedPools } from "../overlapping.ts";

/**
 * Only their names decide which one Karpenter tries first (docs/upstream/karpenter.md#order-of-pools). Each pool gets
 * one finding, which names the first pool that Karpenter tries before it.
 */
export function poolsOverlap(cluster: ExplainedCluster): Finding[] {
  const groups = Map.groupBy(triedPools(cluster), ({ pool, taints }) => `${weightOf(pool)} ${taints}`);
  return [...groups.values()].flatMap(overlaps);
}

function overlaps(group: readonly TriedPool[]): Finding[] {
  return firstOverlaps(group).flatMap((first, index) =>
    first === undefined ? [] : [describe(first.pool, group[index]!.pool)],
  );
}

function describe(first: ResolvedPool, second: ResolvedPool): Finding {
  const weight = weightOf(second);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(second.wrapper)} can take the same pods as ${first.name}, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet`;
  const hint = "give one of them a higher weight, or separate them by labels or taints";
  return findingAt("pools-overlap", second.wrapper, weight === 0 ? ["metadata", "name"] : ["spec", "weight"], {
    message,
    hint,
  });
}
