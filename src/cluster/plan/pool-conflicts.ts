/** Pools whose wishes and the policy's do not go together: a bundle and its context in, pool and label key out. */
import type { Bundle } from "../../model/bundle.ts";
import { demandsOf } from "../../resolve/demands.ts";
import { mergeDemands } from "../../resolve/merge-requirements.ts";
import { readNodePool } from "../../resolve/read-node-pool.ts";
import type { RenderContext } from "../../resolve/render-context.ts";

export interface PoolConflict {
  readonly pool: string;
  readonly key: string;
  /** `conflict`: the pool gets no new nodes. `bypass`: it would get round the policy, and is blocked. */
  readonly what: "conflict" | "bypass";
}

/** Computed here and not taken from findings: a RenderConfig may switch those off, and the status must not lie. */
export function poolConflicts(bundle: Bundle, context: RenderContext): PoolConflict[] {
  return bundle.nodePools.flatMap((wrapper) => {
    const { value: read } = readNodePool(wrapper, context.settings);
    if (read === undefined) return [];
    const own = read.spec.template.spec.requirements ?? [];
    const demands = demandsOf(wrapper, own, read.labels, context.policy, context.settings);
    const byKey = Map.groupBy(demands, ({ requirement }) => requirement.key);
    return [...byKey].flatMap(([key, group]): PoolConflict[] => {
      const { outcome, policy, user } = mergeDemands(key, group);
      if (outcome === "bypassed") return [{ pool: wrapper.name, key, what: "bypass" }];
      const both = policy !== undefined && user !== undefined;
      return outcome === "blocking" && both ? [{ pool: wrapper.name, key, what: "conflict" }] : [];
    });
  });
}
