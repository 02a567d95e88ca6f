/** Enforces Hard node limits in a pass: budgets before applying, the surplus after it. */
import type { KubeObject } from "../../model/objects/kube-object.ts";
import type { StepResult } from "../apply/execute.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import { NODE_CLAIMS } from "../api/served-kind.ts";
import { stripManagedFields } from "../objects/strip-fields.ts";
import type { RenderedInputs } from "../plan/render-cluster.ts";
import type { ReadProblem } from "../objects/read-problem.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import { hardPools, type LimitedPool, limitedPools } from "./limited-pools.ts";
import { type FailedDeletion, removeSurplus, type RemovedSurplus } from "./remove-surplus.ts";

/** The state of one pool. */
export interface LimitState {
  readonly pool: string;
  readonly limit: number;
  /** All NodeClaims of the pool; undefined if they cannot be listed. */
  readonly nodes: number | undefined;
  /** The nodes of the appended budget; undefined if the pool needs none, or has no room for one. */
  readonly budget: number | undefined;
  /** Whether it needs a budget and has no room for one. */
  readonly withoutBudget: boolean;
  /** Whether drifted nodes are replaced even if the limit has no room. */
  readonly driftsAnyway: boolean;
  /** Nodes above the limit when the pass began. */
  readonly surplus: number;
  /** NodeClaims that this pass deleted. */
  readonly deleted: readonly { readonly name: string; readonly why: string }[];
  /** Why the limit is exceeded or not enforced. */
  readonly kept: readonly string[];
}

export interface NodeLimitsResult {
  /** Pools with a Hard limit that were applied or are in sync, by name. */
  readonly pools: readonly LimitState[];
  readonly problems: readonly ReadProblem[];
  readonly failures: readonly FailedDeletion[];
  readonly counts: LimitCounts;
}

interface LimitCounts {
  /** Pools with a Hard limit. */
  readonly limited: number;
  /** Of these, pools with an appended budget. */
  readonly budgets: number;
  /** Nodes above the limits when the pass began. */
  readonly surplus: number;
  /** NodeClaims that this pass deleted. */
  readonly deleted: number;
}

export interface PreparedLimits {
  readonly desired: readonly KubeObject[];
  readonly pools: readonly LimitedPool[];
  readonly problems: readonly ReadProblem[];
}

/** Lists NodeClaims only if a pool has a Hard limit. */
export async function prepareLimits(
  rendered: RenderedInputs,
  live: readonly LiveObject[],
  { nodeLimits, guest }: WatchedCluster,
): Promise<PreparedLimits> {
  const hard = nodeLimits === "Off" ? [] : hardPools(rendered);
  if (hard.length === 0) return { desired: rendered.desired, pools: [], problems: [] };
  const answer = await guest.list(NODE_CLAIMS, { budget: readQuota(), keep: stripManagedFields });
  const claims = answer.ok ? answer.value.items : undefined;
  const problems: ReadProblem[] = answer.ok ? [] : [{ side: "guest", kind: NODE_CLAIMS.kind, error: answer.error }];
  const nodePools = live.filter(({ kind }) => kind === "NodePool");
  return { ...limitedPools(hard, claims, rendered.desired, nodePools), problems };
}

interface SurplusOptions {
  readonly cluster: WatchedCluster;
  readonly results: readonly StepResult[];
  /** Why nothing may be deleted. */
  readonly blocked: string | undefined;
  readonly signal: AbortSignal;
  readonly now: Date;
}

/** Call it after the pools were applied, so that a limit that was just raised costs no node. */
export async function enforceLimits(prepared: PreparedLimits, options: SurplusOptions): Promise<NodeLimitsResult> {
  const { cluster, results, blocked, signal, now } = options;
  const kept = new Map(
    results.filter(({ step }) => step.kind === "NodePool").map((result) => [result.step.name, isKept(result)]),
  );
  const pools = prepared.pools.filter(({ name }) => kept.get(name) === true);
  const failed = results.some(({ outcome }) => outcome === "failed");
  const why = blocked ?? (failed ? "not all of the pass could be applied" : undefined);
  const mayDelete = cluster.nodeLimits === "Full" && why === undefined && !signal.aborted;
  const { guest, dryRun } = cluster;
  const removed = await removeSurplus(mayDelete ? pools : [], { guest, dryRun, signal, at: now.getTime() });
  const states = pools.map((pool) => stateOf(pool, removed.byPool.get(pool.name), cluster, why));
  return {
    pools: states.toSorted((a, b) => (a.pool < b.pool ? -1 : 1)),
    problems: [...prepared.problems, ...removed.problems],
    failures: [...removed.byPool.values()].flatMap(({ failure }) => failure ?? []),
    counts: {
      limited: states.length,
      budgets: states.filter(({ budget }) => budget !== undefined).length,
      surplus: states.reduce((sum, { surplus }) => sum + surplus, 0),
      deleted: states.reduce((sum, { deleted }) => sum + deleted.length, 0),
    },
  };
}

/** Not a pool that another writer owns, or that could not be written. */
function isKept({ step: { action }, outcome }: StepResult): boolean {
  return action === "in-sync" || ((action === "create" || action === "update") && outcome === "done");
}

function stateOf(
  pool: LimitedPool,
  removed: RemovedSurplus | undefined,
  { nodeLimits }: WatchedCluster,
  blocked: string | undefined,
): LimitState {
  const { name, limit, claims, budget, withoutBudget, surplus } = pool;
  const driftsAnyway = pool.pool.limit?.driftedFloor !== undefined;
  const unread = claims === undefined ? "its NodeClaims cannot be listed: its budgets stay as they are" : undefined;
  const why =
    surplus === 0
      ? undefined
      : nodeLimits === "Full"
        ? (blocked ?? removed?.kept)
        : "nodeLimits: Full would delete the nodes above the limit";
  return {
    pool: name,
    limit,
    nodes: claims?.length,
    budget,
    withoutBudget: withoutBudget !== undefined,
    driftsAnyway,
    surplus,
    deleted: (removed?.deleted ?? []).map(({ claim, why: because }) => ({ name: claim.metadata.name, why: because })),
    kept: [unread, withoutBudget, why].filter((words) => words !== undefined && words !== "") as string[],
  };
}
