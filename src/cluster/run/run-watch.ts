/** `anp watch` as a run: log lines and passes, for ever or only once. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/finding.ts";
import { oncePer } from "../../model/once.ts";
import type { ListenAddress } from "../../model/listen-address.ts";
import { ClusterError } from "../api/cluster-error.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import type { LeaseSpec } from "../lease/candidate.ts";
import { formatLogEntry, type LogEntry, type LogFormat, shortened } from "../objects/log-entry.ts";
import { endingSignal } from "../waiting/ending-signal.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { fleetState } from "../fleet/fleet-state.ts";
import type { ShardingSpec } from "../shards/hold-shards.ts";
import type { PassResult } from "../tell/pass-result.ts";
import type { Run } from "./run.ts";
import type { DiscoverSpec } from "./found-cluster.ts";
import { lateLog } from "./late-log.ts";
import { perhapsCatalogue } from "./perhaps-catalogue.ts";
import { runDiscovered, runDiscoveredOnce } from "./run-discovered.ts";
import { runForever } from "./run-forever.ts";
import { runOnce } from "./run-once.ts";
import type { WorkersSpec } from "./workers/start-workers.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

export { readShards } from "./read-shards.ts";
export { observe } from "./observe.ts";
/** The same chunk is loaded in each worker thread. */
export { runWorker } from "./workers/run-worker.ts";

export interface ClusterSpec extends Omit<
  WatchedCluster,
  "guest" | "management" | "readDirectory" | "settleMs" | "pruneAfterMs"
> {
  readonly guest: KubeAccessOptions;
  readonly management: KubeAccessOptions | undefined;
}

export interface RunOptions {
  /** One pass for each cluster; neither a leader is elected nor anything served then. */
  readonly once: boolean;
  readonly intervalMs: number;
  /** Passes at once, over all clusters. */
  readonly concurrency: number;
  readonly leaderElection: LeaseSpec | undefined;
  /** The clusters are found in place of being named. */
  readonly discover?: DiscoverSpec | undefined;
  /** What is found is shared out among the replicas. */
  readonly sharding?: ShardingSpec | undefined;
  /** Threads that work on the clusters that are found; none: the main thread does. */
  readonly workers?: WorkersSpec | undefined;
  readonly listen: ListenAddress | undefined;
  /** The instance types that pools are judged by. It throws where it cannot be read. */
  readonly catalogue: CatalogueFor;
  readonly logFormat: LogFormat;
  readonly write: (text: string) => void;
  /** Takes the log of a watch that goes on in place of `write`: ends when it is written. */
  readonly writeLater?: ((text: string) => Promise<void>) | undefined;
  /** Takes the lines of the log instead of `write`: a dashboard is in the way of those. */
  readonly log?: (entry: LogEntry, time: Date) => void;
  /** Before the first pass. `fleet.quit()` ends the run as SIGTERM does. */
  readonly onFleet?: (fleet: Fleet) => void;
}

export interface RunOutcome {
  /** The worst of all clusters' last passes. */
  readonly result: PassResult;
  /** Of the last passes. */
  readonly findings: readonly Finding[];
  /** Why there was no pass at all, or why it ended without having been told to, in one line. */
  readonly problem?: string;
}

/** So long the end of a watch waits for whoever reads its log. */
const LAST_LINES_MS = 1000;

/** Until SIGTERM or SIGINT. */
export async function runWatch(specs: readonly ClusterSpec[], options: RunOptions): Promise<RunOutcome> {
  const ending = endingSignal();
  const format = (entry: LogEntry): string => formatLogEntry(entry, new Date().toISOString(), options.logFormat);
  const { writeLater } = options;
  // Whoever waits for one pass waits for its log too, and wants all of it.
  const late = writeLater === undefined || options.once ? undefined : lateLog({ format, write: writeLater });
  const log = (given: LogEntry): void => {
    const entry = options.once ? given : shortened(given);
    if (options.log !== undefined) options.log(entry, new Date());
    else if (late !== undefined) late.tell(entry);
    else options.write(format(entry));
  };
  // Each pass asks again; it is told once.
  const unread = oncePer((reason: string) => log({ level: "warn", msg: "catalogue not read", fields: { reason } }));
  const catalogue = perhapsCatalogue(options.catalogue, unread);
  const run: Run = { options, ending, state: fleetState(specs, ending.end), log, catalogue, unread };
  options.onFleet?.(run.state.fleet);
  try {
    const { discover, sharding, once: isOnce } = options;
    if (discover !== undefined)
      return await (isOnce ? runDiscoveredOnce(discover, run) : runDiscovered(discover, sharding, run));
    return await (isOnce ? runOnce(specs, run) : runForever(specs, run));
  } catch (error) {
    if (error instanceof ClusterError) return { result: "failed", findings: [], problem: error.message };
    throw error;
  } finally {
    ending.release();
    await late?.end(LAST_LINES_MS);
  }
}
