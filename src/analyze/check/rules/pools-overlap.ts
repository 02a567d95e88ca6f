/** Rules: pools that can take the same pods, and pools that take pods which select none. */
import { valuesOf } from "../../../karpenter/catalogue/type-filter.ts";
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { describeResource } from "../../../krm/places/resource.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { firstOverlaps, type TriedPool, triedPools } from "../overlapping.ts";

/** Labels of instance types that few pods need, with the word for such types. */
const SPECIAL = {
  "karpenter.k8s.aws/instance-gpu-count": "a GPU",
  "karpenter.k8s.aws/instance-accelerator-count": "an accelerator",
} as const;

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

/** Labels keep no pod away from a pool, only taints do (docs/upstream/karpenter.md#order-of-pools). */
export function poolTakesAllPods(cluster: ExplainedCluster): Finding[] {
  const [first, second] = triedPools(cluster).filter(({ taints }) => taints === "");
  if (first === undefined || second === undefined) return [];
  const special = specialTypes(cluster, first.pool);
  if (special === undefined) return [];
  const { pool } = first;
  const why =
    weightOf(pool) > weightOf(second.pool) ? `its weight is ${weightOf(pool)}` : "its name comes later in the alphabet";
  const message = `${describeResource(pool.wrapper)} takes every pod that selects no pool, before ${second.pool.name}: it has no taint, ${why}, and each of its instance types has ${special}`;
  const hint = "give it a taint that the pods for it tolerate, or the other pools a higher weight";
  return [findingAt("pool-takes-all-pods", pool.wrapper, ["spec", "template", "spec"], { message, hint })];
}

/** What all instance types of a pool have that few pods need. */
function specialTypes({ explanations, knownTypes }: ExplainedCluster, pool: ResolvedPool): string | undefined {
  const names = explanations.find((explanation) => explanation.pool === pool)?.instanceTypes.names ?? [];
  if (names.length === 0) return undefined;
  const { catalogue } = knownTypes.filter;
  const special = Object.entries(SPECIAL).find(([key]) =>
    names.every((name) => valuesOf(catalogue, catalogue.names.indexOf(name), key).length > 0),
  );
  return special?.[1] ?? (names.every((name) => name.includes(".metal")) ? "no hypervisor (bare metal)" : undefined);
}
