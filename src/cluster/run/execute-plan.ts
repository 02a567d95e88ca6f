/** Executes a plan: objects, inventory and node limits. */
import type { ApiError } from "../api/api-answer.ts";
import type { ApplyBackoff } from "../apply/apply-backoff.ts";
import type { ConflictingWriters } from "../apply/conflicting-writers.ts";
import { execute, type Executed, type StepResult } from "../apply/execute.ts";
import { inventoryRecorder } from "../apply/inventory-recorder.ts";
import { inventoryLocation } from "../inventory/location.ts";
import { enforceLimits, type NodeLimitsResult } from "../limits/node-limits.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { Step } from "../plan/step.ts";
import type { EventRecorder } from "../status/event-recorder.ts";
import type { EvaluatePools, EvaluateUsersPools } from "../status/pool-verdicts.ts";
import type { PassSlot } from "./loop.ts";
import { isHeld, type PlannedPass, pruneBlockedBy } from "./plan-pass.ts";

export interface ExecutedPlan {
  /** Those of the plan, with conflicting writers. */
  readonly steps: readonly Step[];
  readonly executed: Executed;
  readonly nodeLimits: NodeLimitsResult;
  /** Why the inventory was not written. */
  readonly unwritten: ApiError | undefined;
}

/** Writes the inventory before an object is created, and after it. */
export async function executePlan(
  { inputs, limits, rendered, steps: planned }: PlannedPass,
  cluster: WatchedCluster,
  options: PassOptions,
): Promise<ExecutedPlan> {
  const { unread } = inputs.guest;
  const { dryRun } = cluster;
  const steps = options.conflicts.before(planned);
  const known = steps.filter(({ kind }) => !unread.has(kind));
  const writesNothing = dryRun || rendered.decision.reason === "HostedClusterPaused";
  const books = inventoryRecorder(inventoryLocation(cluster), inputs, {
    dryRun: writesNothing,
    mayBegin: !isHeld(rendered),
  });
  let unwritten: ApiError | undefined;
  const { now, waiting } = dryRun ? { now: known, waiting: [] } : options.applyBackoff.before(known);
  const tried = await execute(now, cluster.guest, {
    dryRun,
    lacks: waiting.length > 0,
    allowedWriters: rendered.allowedWriters,
    signal: options.signal,
    register: async () => {
      unwritten = await books.before(now);
      return unwritten;
    },
    announcePrune: async (step, nodes) => {
      options.onPrune(step, nodes);
      await options.recorder.announcePrune(step, nodes);
    },
  });
  const executed = { ...tried, results: inOrder(known, [...tried.results, ...waiting]) };
  if (!dryRun) options.applyBackoff.after(tried.results);
  if (!dryRun) options.conflicts.after(tried.results);
  unwritten = (await books.after(tried.results)) ?? unwritten;
  const nodeLimits = await enforceLimits(limits, {
    cluster,
    results: executed.results,
    blocked: pruneBlockedBy(inputs, rendered) ?? executed.refused,
    signal: options.signal,
    now: options.now(),
  });
  return { steps, executed, nodeLimits, unwritten };
}

function inOrder(steps: readonly Step[], results: readonly StepResult[]): StepResult[] {
  const byStep = new Map(results.map((result) => [result.step, result]));
  return steps.flatMap((step) => byStep.get(step) ?? []);
}

export interface PassOptions {
  readonly signal: AbortSignal;
  /** Undefined if no other pass waits for a slot. */
  readonly slot?: PassSlot | undefined;
  /** The time of the pass. */
  readonly now: () => Date;
  readonly recorder: EventRecorder;
  /** State of all passes over the cluster. */
  readonly conflicts: ConflictingWriters;
  /** State of all passes over the cluster. */
  readonly applyBackoff: ApplyBackoff;
  readonly judge: EvaluatePools;
  readonly judgeUsers: EvaluateUsersPools;
  /** Called before a pool or class is deleted, with the number of its nodes. */
  readonly onPrune: (step: Step, nodes: number | undefined) => void;
}
