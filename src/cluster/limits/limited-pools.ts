/** Pools with a Hard limit, with their nodes, appended budget and surplus. */
import { type SimulatedPool, wrappedPools } from "../../analyze/simulate/pools.ts";
import { surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { LiveObject } from "../api/live-object.ts";
import { appendedTo, withAppended } from "../objects/appended-budget.ts";
import { limitBudget } from "./limit-budget.ts";

/** An applied pool with a Hard limit. */
export interface LimitedPool {
  readonly name: string;
  readonly limit: number;
  /** As `anp simulate` knows it. */
  readonly pool: SimulatedPool;
  /** Undefined if they cannot be listed. */
  readonly claims: readonly LiveObject[] | undefined;
  /** For how many nodes the appended budget is; undefined if there is none. */
  readonly budget: number | undefined;
  /** Why the pool has no budget although it needs one. */
  readonly withoutBudget: string | undefined;
  /** How many nodes are above the limit. */
  readonly surplus: number;
}

interface Rendered {
  /** Undefined if nothing can be rendered. */
  readonly cluster: ResolvedCluster | undefined;
  readonly desired: readonly KubeObject[];
}

/** Without held pools, which are not changed. */
export function hardPools({ cluster, desired }: Rendered): SimulatedPool[] {
  if (cluster === undefined) return [];
  const applied = new Set(desired.filter(({ kind }) => kind === "NodePool").map(({ metadata }) => metadata.name));
  // Most pools have no limit: filter first, for speed.
  const nodePools = cluster.nodePools.filter(({ value }) => value?.spec.limits?.["nodes"] !== undefined);
  const { value: pools } = wrappedPools([{ ...cluster, nodePools }]);
  return pools.filter(({ name, limit }) => limit?.mode === "Hard" && applied.has(name));
}

/** @param live all live NodePools: if the nodes of a pool are unknown, its live budget stays */
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
          ? "it has as many budgets as Karpenter accepts, so none can be added for its limit"
          : undefined,
      surplus: own === undefined ? 0 : surplusOf(limit, own.filter((claim) => !isTerminating(claim)).length),
    });
    return appended ?? object;
  });
  return { pools: [...limited.values()], desired: withBudgets };
}

function poolOfClaim(claim: LiveObject): string {
  const name = valueAt(claim, ["metadata", "labels", "karpenter.sh/nodepool"]);
  return typeof name === "string" ? name : "";
}

/**
 * Karpenter sets DisruptionReason before it launches a replacement, and removes it when it gives up
 * (docs/upstream/karpenter.md#nodeclaims).
 */
const TERMINATING = ["InstanceTerminating", "DisruptionReason"];

/** Whether a NodeClaim is being deleted or replaced, by its own metadata and status. */
export function isTerminating({ metadata, status }: LiveObject): boolean {
  const conditions = (status?.["conditions"] ?? []) as readonly { type?: unknown; status?: unknown }[];
  return (
    metadata.deletionTimestamp !== undefined ||
    conditions.some((condition) => condition.status === "True" && TERMINATING.includes(String(condition.type)))
  );
}
