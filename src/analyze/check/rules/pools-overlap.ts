/** Pools of equal weight that can take the same pods. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { describeResource } from "../../../krm/resource.ts";
import { identityOf } from "../../../karpenter/catalogue/type-filter.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";
import type { ResolvedPool } from "../../../resolve/resolve-pool.ts";
import { weightOf } from "../../../karpenter/scheduling/pool-order.ts";
import { overlap, type TriedPool, triedPools } from "../overlapping.ts";

/**
 * Only their names decide which of them does (docs/upstream/karpenter.md#order-of-pools). One finding a pool: it names
 * the first that Karpenter tries before it.
 */
export function poolsOverlap(cluster: ExplainedCluster): Finding[] {
  const groups = Map.groupBy(triedPools(cluster), ({ pool, taints }) => `${weightOf(pool)} ${taints}`);
  return [...groups.values()].flatMap(overlaps);
}

/** Of thousands of pools few kinds are different: only the first of each can be the first that overlaps another. */
function overlaps(group: readonly TriedPool[]): Finding[] {
  const firsts: TriedPool[] = [];
  const answers = new Map<string, TriedPool | undefined>();
  return group.flatMap((second) => {
    const kind = kindOf(second);
    // Whoever came first of all that overlap this kind still does.
    const first = answers.get(kind) ?? firsts.find((other) => overlap(other, second));
    if (!answers.has(kind)) firsts.push(second);
    answers.set(kind, first);
    return first === undefined ? [] : [describe(first.pool, second.pool)];
  });
}

/** The same for all that leave the same. */
function kindOf({ remaining: { types, requirements } }: TriedPool): string {
  const asked = [...requirements.values()].map(identityOf).toSorted();
  return [types.join(), ...asked].join("\n");
}

function describe(first: ResolvedPool, second: ResolvedPool): Finding {
  const weight = weightOf(second);
  const equal = weight === 0 ? "neither has a weight" : `both have the weight ${weight}`;
  const message = `${describeResource(second.wrapper)} can take the same pods as ${first.name}, and ${equal}: Karpenter tries ${first.name} first, because its name comes later in the alphabet`;
  const hint = "give one of them a higher weight, or tell them apart by labels or taints";
  return findingAt("pools-overlap", second.wrapper, weight === 0 ? ["metadata", "name"] : ["spec", "weight"], {
    message,
    hint,
  });
}
