/** Pools that conflict with the policy, with the label keys. */
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";

export interface PoolConflict {
  readonly pool: string;
  readonly key: string;
  /** `conflict`: the pool gets no new nodes. `bypass`: it would bypass the policy, and is blocked. */
  readonly what: "conflict" | "bypass";
}

/** Does not use findings: a RenderConfig may turn them off, and the status must still be right. */
export function poolConflicts(pools: readonly ResolvedPool[]): PoolConflict[] {
  return pools.flatMap(({ name, merged }) =>
    merged.flatMap(({ key, outcome, policy, user }): PoolConflict[] => {
      if (outcome === "bypassed") return [{ pool: name, key, what: "bypass" }];
      const both = policy !== undefined && user !== undefined;
      return outcome === "blocking" && both ? [{ pool: name, key, what: "conflict" }] : [];
    }),
  );
}
