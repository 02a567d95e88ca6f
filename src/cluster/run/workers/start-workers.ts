/** The workers of a replica: what a run says of them in, threads that keep its clusters out. */
import { availableParallelism, totalmem } from "node:os";
import type { DiscoverSpec } from "../found-cluster.ts";
import type { Run } from "../run.ts";
import type { SharedFence } from "./fence.ts";
import { startThread } from "./start-thread.ts";
import { BLOCKED_SECONDS } from "./thread.ts";
import { TRIAL_MS } from "./trials.ts";
import { workInWorkers, type Workers } from "./work-in-workers.ts";
import { memoryOf, workersOf } from "./worker-limits.ts";

export interface WorkersSpec {
  /** As many as processors and at most four when left out. */
  readonly count: number | undefined;
  /** Of each; a share of what there is when left out. */
  readonly memoryMiB: number | undefined;
  /** The text of the catalogue that the package ships. */
  readonly catalogue: () => string;
}

interface StartOptions {
  readonly discover: DiscoverSpec;
  readonly run: Pick<Run, "options" | "log" | "unread">;
  readonly shards: number;
  readonly fence: SharedFence;
  readonly took: (cluster: string, seconds: number) => void;
  readonly cut: AbortSignal;
}

/** Else one that hangs could take the only place. */
const LEAST_CONCURRENCY = 2;

const MIB = 1024 * 1024;

/** None is started before there is a cluster for it. */
export function startWorkers(spec: WorkersSpec, { discover, run, shards, fence, took, cut }: StartOptions): Workers {
  const count = workerCount(spec);
  const { intervalMs, concurrency } = run.options;
  return workInWorkers({
    count,
    task: {
      discover,
      intervalMs,
      concurrency: Math.max(LEAST_CONCURRENCY, Math.ceil(concurrency / count)),
      shards,
      fence: fence.buffer,
      memoryMiB: spec.memoryMiB ?? memoryOf(totalMiB(), count),
      catalogue: spec.catalogue(),
    },
    start: startThread,
    blockedSeconds: BLOCKED_SECONDS,
    trialMs: TRIAL_MS,
    log: run.log,
    took,
    unread: run.unread,
    cut,
  });
}

export function workerCount({ count }: Pick<WorkersSpec, "count">): number {
  return count ?? workersOf(availableParallelism());
}

/** Of the container where it has a limit. */
function totalMiB(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity) / MIB;
}
