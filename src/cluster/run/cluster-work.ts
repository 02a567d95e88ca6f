/** Work on a hosted cluster: begun, woken by changes, stopped. */
import { type AllConnections, inFlightRequests } from "../api/connections.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { FoundCluster } from "../discover/hosted-clusters.ts";
import type { StatusReporter } from "../fleet/fleet-state.ts";
import { wakeUp } from "../waiting/wake-up.ts";
import { semaphore } from "../waiting/semaphore.ts";
import { clusterLoop, type CrashNotes } from "./cluster-loop.ts";
import { endWork } from "./end-work.ts";
import { openFound } from "./found-cluster.ts";
import { reachabilityProbe } from "./reachability-probe.ts";
import type { DiscoverSpec, Run } from "./run.ts";

/** Who counts what is asked for a cluster. */
type Counted = Pick<ClusterApi, "requests">;

export interface ClusterWork {
  /** Something changed that a pass reads of the management cluster. */
  readonly news: () => void;
  /** Its kubeconfig is another one. */
  readonly credentials: () => void;
  readonly guest: Counted;
  readonly management: Counted | undefined;
  /** Ends when nothing is under way for it any more. */
  readonly stop: () => Promise<void>;
}

/** @throws ClusterError where it cannot be begun */
export type BeginWork = (found: FoundCluster, name: string, desk: StatusReporter) => ClusterWork;

export interface WorkOptions {
  readonly discover: DiscoverSpec;
  readonly run: Pick<Run, "log" | "catalogue">;
  readonly intervalMs: number;
  /** Passes at once. */
  readonly concurrency: number;
  /** Reads Secrets. */
  readonly management: ClusterApi;
  readonly connections: AllConnections;
  /** Asked right before each request for it. */
  readonly mayAsk: (namespace: string) => boolean;
  /** Undefined without a Lease. */
  readonly crashes: CrashNotes | undefined;
  readonly took: (cluster: string, seconds: number) => void;
  /** Whether all that changes in the management cluster is told. */
  readonly isTold: () => boolean;
  /** Cuts everything at once. */
  readonly cut: AbortSignal;
}

/** How long changed files must have stayed as they are. */
const SETTLE_MS = 2000;

/** All of them share places, and the connections they ask over. */
export function workHere(options: WorkOptions): BeginWork {
  const { discover, run, connections, management } = options;
  const places = semaphore(options.concurrency);
  const knock = reachabilityProbe(options.cut);
  return (found, name, desk) => {
    const { namespace } = found;
    const news = wakeUp();
    const end = new AbortController();
    const cut = new AbortController();
    const until = AbortSignal.any([cut.signal, options.cut]);
    const asked = inFlightRequests(() => performance.now());
    const door = { connections, until, mayAsk: () => options.mayAsk(namespace), underWay: asked };
    const { cluster, access, intervalMs } = openFound(found, discover, { door, management, settleMs: SETTLE_MS });
    run.log({ level: "info", msg: "watching", fields: { cluster: name, namespace } });
    const over = clusterLoop(cluster, {
      run,
      desk,
      news,
      slots: places,
      knock,
      intervalMs: intervalMs ?? options.intervalMs,
      signal: AbortSignal.any([end.signal, options.cut]),
      took: (seconds) => options.took(name, seconds),
      crashes: options.crashes && { ...options.crashes, key: namespace },
      isToldOfManagement: options.isTold,
    }).catch((error: unknown) => {
      run.log({ level: "error", msg: "pass failed", fields: { cluster: name, reason: String(error) } });
    });
    return {
      news: news.raise,
      credentials: () => {
        access.changed();
        // A cluster that backs off because of the old credentials need not wait.
        if (desk.state().phase === "backing-off") desk.levers.raise();
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
