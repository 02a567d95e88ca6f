/** Which pools a watch keeps within their limits, with their nodes, budget and surplus. */
import { type SimulatedPool, wrappedPools } from "../../analyze/simulate/pools.ts";
import { surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { LiveObject } from "../api/live-object.ts";
import { appendedTo, withAppended } from "../objects/appended-budget.ts";
import { isGoing } from "./going-claim.ts";
import { limitBudget } from "./limit-budget.ts";

/** A pool with a Hard limit that is applied. */
export interface LimitedPool {
  readonly name: string;
  readonly limit: number;
  /** As `anp simulate` knows it. */
  readonly pool: SimulatedPool;
  /** Undefined where they cannot be listed. */
  readonly claims: readonly LiveObject[] | undefined;
  /** For how many nodes the appended budget is; undefined where there is none. */
  readonly budget: number | undefined;
  /** Why there is none although there should be. */
  readonly withoutBudget: string | undefined;
  /** How many have to go. */
  readonly surplus: number;
}

interface Rendered {
  /** Undefined where nothing can be rendered. */
  readonly cluster: ResolvedCluster | undefined;
  readonly desired: readonly KubeObject[];
}

/** What is held is not here: it stays as it is. */
export function hardPools({ cluster, desired }: Rendered): SimulatedPool[] {
  if (cluster === undefined) return [];
  const applied = new Set(desired.filter(({ kind }) => kind === "NodePool").map(({ metadata }) => metadata.name));
  // Most pools have none.
  const nodePools = cluster.nodePools.filter(({ value }) => value?.spec.limits?.["nodes"] !== undefined);
  const { value: pools } = wrappedPools([{ ...cluster, nodePools }]);
  return pools.filter(({ name, limit }) => limit?.mode === "Hard" && applied.has(name));
}

/** @param live all NodePools there are: what stands there is kept where nobody can tell how many nodes a pool has */
export function limitedPools(
  pools: readonly SimulatedPool[],
  claims: readonly LiveObject[] | undefined,
  desired: readonly KubeObject[],
  live: readonly LiveObject[],
): { readonly pools: LimitedPool[]; readonly desired: readonly KubeObject[] } {
  const byName = new Map(pools.map((pool) => [pool.name, pool]));
  const liveByName = new Map(live.map((object) => [object.metadata.name, object]));
  const ofPool = claims && Map.groupBy(claims, poolOfClaim);
  const limited = new Map<string, LimitedPool>();
  const withBudgets = desired.map((object) => {
    const pool = object.kind === "NodePool" ? byName.get(object.metadata.name) : undefined;
    const limit = pool?.limit;
    if (pool === undefined || limit === undefined) return object;
    const own = ofPool && (ofPool.get(pool.name) ?? []);
    const there = liveByName.get(pool.name);
    const wanted =
      own === undefined
        ? there && appendedTo(there)
        : limitBudget({ budgets: pool.budgets, limit: limit.nodes, nodes: own.length });
    const appended = wanted === undefined ? undefined : withAppended(object, wanted, limit.driftedFloor);
    limited.set(pool.name, {
      name: pool.name,
      limit: limit.nodes,
      pool,
      claims: own,
      budget: appended && wanted,
      withoutBudget:
        wanted !== undefined && appended === undefined
          ? "it has as many budgets as Karpenter takes, and none is left for its limit"
          : undefined,
      surplus: own === undefined ? 0 : surplusOf(limit, own.filter((claim) => !isGoing(claim)).length),
    });
    return appended ?? object;
  });
  return { pools: [...limited.values()], desired: withBudgets };
}

function poolOfClaim(claim: LiveObject): string {
  const name = valueAt(claim, ["metadata", "labels", "karpenter.sh/nodepool"]);
  return typeof name === "string" ? name : "";
}
