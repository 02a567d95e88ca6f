/** Starts and stops the loop of a discovered hosted cluster, and wakes it. */
import { type AllConnections, inFlightRequests } from "../api/connections.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { wakeUp } from "../waiting/wake-up.ts";
import { semaphore } from "../waiting/semaphore.ts";
import { clusterLoop, type CrashNotes } from "./cluster-loop.ts";
import { endWork } from "./end-work.ts";
import { openFound } from "./found-cluster.ts";
import { reachabilityProbe } from "./acquire-slot.ts";
import type { DiscoverSpec, Run } from "./run.ts";

/** A client that counts its requests. */
type Counted = Pick<ClusterApi, "requests">;

export interface ClusterWork {
  /** An object of the management cluster changed that a pass reads. */
  readonly news: () => void;
  /** Its kubeconfig changed. */
  readonly credentials: () => void;
  readonly guest: Counted;
  readonly management: Counted | undefined;
  /** Ends when no request for it is in flight any more. */
  readonly stop: () => Promise<void>;
}

export type BeginWork = (found: FoundCluster, name: string, reporter: StatusReporter) => ClusterWork;

export interface WorkOptions {
  readonly discover: DiscoverSpec;
  readonly run: Pick<Run, "log" | "catalogue">;
  readonly intervalMs: number;
  /** How many passes may run at once. */
  readonly concurrency: number;
  /** Reads Secrets. */
  readonly management: ClusterApi;
  readonly connections: AllConnections;
  /** Called right before each request for a cluster. */
  readonly mayAsk: (namespace: string) => boolean;
  /** Undefined without a Lease. */
  readonly crashes: CrashNotes | undefined;
  readonly took: (cluster: string, seconds: number) => void;
  /** Whether all changes of the management cluster are reported now. */
  readonly isWatched: () => boolean;
  /** Cancels all requests at once. */
  readonly cut: AbortSignal;
}

/** How long changed files must stay the same before they count. */
const SETTLE_MS = 2000;

/** All clusters share slots and connections. */
export function workHere(options: WorkOptions): BeginWork {
  const { discover, run, connections, management } = options;
  const slots = semaphore(options.concurrency);
  const probe = reachabilityProbe(options.cut);
  return (found, name, reporter) => {
    const { namespace } = found;
    const news = wakeUp();
    const end = new AbortController();
    const cut = new AbortController();
    const until = AbortSignal.any([cut.signal, options.cut]);
    const asked = inFlightRequests(() => performance.now());
    const client = { connections, until, mayAsk: () => options.mayAsk(namespace), underWay: asked };
    const { cluster, access, intervalMs } = openFound(found, discover, { client, management, settleMs: SETTLE_MS });
    run.log({ level: "info", msg: "watching", fields: { cluster: name, namespace } });
    const over = clusterLoop(cluster, {
      run,
      reporter,
      news,
      slots,
      probe,
      intervalMs: intervalMs ?? options.intervalMs,
      signal: AbortSignal.any([end.signal, options.cut]),
      took: (seconds) => options.took(name, seconds),
      crashes: options.crashes && { ...options.crashes, key: namespace },
      isManagementWatched: options.isWatched,
    }).catch((error: unknown) => {
      run.log({ level: "error", msg: "pass failed", fields: { cluster: name, reason: String(error) } });
    });
    return {
      news: news.raise,
      credentials: () => {
        access.changed();
        // A cluster that backs off because of the old credentials need not wait.
        if (reporter.state().phase === "backing-off") reporter.controls.raise();
      },
      guest: cluster.guest,
      management: cluster.management,
      stop: async () => {
        end.abort();
        await endWork({ over, underWay: asked, cut, signal: options.cut });
        connections.dropIdle(cluster.guest.server);
        run.log({ level: "info", msg: "not watched any more", fields: { cluster: name, namespace } });
      },
    };
  };
}
