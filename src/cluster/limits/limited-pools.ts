/** Pools with a Hard limit: their nodes, the budget that they get, and their surplus. */
import { type SimulatedPool, wrappedPools } from "../../analyze/simulate/pools.ts";
import { surplusOf } from "../../karpenter/disruption/node-limit.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import type { ResolvedCluster } from "../../resolve/resolved-cluster.ts";
import type { LiveObject } from "../api/live-object.ts";
import { appendedTo, withAppended } from "../objects/appended-budget.ts";
import { allowedDisruptions, type ReadBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { REPLACING_REASONS } from "../../model/pools/disruption-reasons.ts";

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

export interface FilledPool {
  /** The user's, or Karpenter's default. */
  readonly budgets: readonly ReadBudget[];
  readonly limit: number;
  /** All NodeClaims of the pool, also terminating ones. */
  readonly nodes: number;
}

/**
 * A replacement exists beside the node that it replaces. Undefined if the pool's own budgets already allow no more
 * replacements at once than the limit has room for: then the pool is not near its limit.
 */
export function limitBudget({ budgets, limit, nodes }: FilledPool): number | undefined {
  const room = Math.max(0, limit - nodes);
  // No more than the existing nodes can be replaced. A percentage grows with the pool before the next pass.
  const atOnce = Math.min(nodes, mostAtOnce(budgets, Math.max(limit, nodes)));
  return atOnce > room ? room : undefined;
}

/** Budgets with a schedule do not count unless they are always active: no pass runs exactly when their window ends. */
function mostAtOnce(budgets: readonly ReadBudget[], nodes: number): number {
  // If Karpenter cannot parse a budget, it disrupts no node (docs/upstream/karpenter.md#budgets).
  if (budgets.some(({ window }) => "error" in window)) return 0;
  const lasting = budgets.filter(({ window }) => !("error" in window) && window.when === "always");
  return Math.max(...REPLACING_REASONS.map((reason) => allowedDisruptions(lasting, reason, nodes, 0).nodes));
}
