/** The options of a run of `anp watch`, and the state that all its parts share. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/findings/finding.ts";
import type { ListenAddress } from "../../model/settings/settings.ts";
import type { Given } from "../../model/settings/settings.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import type { ServerAddress } from "../api/secret-access.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { FleetState } from "../fleet/fleet-state.ts";
import type { LeaseSpec } from "../lease/candidate.ts";
import type { LogEntry, LogFormat } from "../objects/log-entry.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";
import type { ShardingSpec } from "../shards/hold-shards.ts";
import type { PassResult } from "../status/outcomes.ts";
import type { OptionalCatalogueFor } from "../status/pool-verdicts.ts";
import type { ShutdownSignal } from "../waiting/pause.ts";

export interface ClusterSpec extends Omit<
  WatchedCluster,
  "guest" | "management" | "readDirectory" | "settleMs" | "pruneAfterMs"
> {
  readonly guest: KubeAccessOptions;
  readonly management: KubeAccessOptions | undefined;
}

export interface RunOptions {
  /** One pass for each cluster, without leader election, probes and metrics. */
  readonly once: boolean;
  readonly intervalMs: number;
  /** How many passes may run at once, over all clusters. */
  readonly concurrency: number;
  readonly leaderElection: LeaseSpec | undefined;
  /** How clusters are discovered; undefined if they are named. */
  readonly discover?: DiscoverSpec | undefined;
  /** How discovered clusters are assigned to replicas. */
  readonly sharding?: ShardingSpec | undefined;
  /** Called right before each request of a single pass; every request is sent if it is left out. */
  readonly mayAsk?: (() => boolean) | undefined;
  /** Logged before anything else. */
  readonly notices?: readonly LogEntry[] | undefined;
  readonly listen: ListenAddress | undefined;
  /** The instance types for the verdicts on pools. It throws if they cannot be read. */
  readonly catalogue: CatalogueFor;
  readonly logFormat: LogFormat;
  readonly write: (text: string) => void;
  /** Takes the log of a loop instead of `write`: ends when it is written. */
  readonly writeLater?: ((text: string) => Promise<void>) | undefined;
  /** Takes the lines of the log instead of `write`, because the dashboard has the terminal. */
  readonly log?: (entry: LogEntry, time: Date) => void;
  /** Called before the first pass. `fleet.quit()` ends the run as SIGTERM does. */
  readonly onFleet?: (fleet: Fleet) => void;
}

export interface RunOutcome {
  /** The worst result of the last passes of all clusters. */
  readonly result: PassResult;
  /** Of the last passes. */
  readonly findings: readonly Finding[];
  /** Why there was no pass, or why the run ended without a signal, in one line. */
  readonly problem?: string;
}

/** How hosted clusters are discovered, reached and reconciled. */
export interface DiscoverSpec extends Pick<WatchedCluster, "adopt" | "allowEmpty"> {
  /** The cluster with the hosted control planes. */
  readonly management: KubeAccessOptions;
  /** A label selector for HostedControlPlanes. */
  readonly selector: string | undefined;
  readonly kubeconfigSecret: { readonly name: string; readonly key: string };
  /** With `{namespace}` in its address. */
  readonly server: ServerAddress | undefined;
  /** The addresses and names that guests' servers may have; all if undefined. */
  readonly allowedServers: readonly string[] | undefined;
  /** Names of watches by namespace, if they differ from the namespace. */
  readonly names: Readonly<Record<string, string>>;
  /** Only these clusters, by name; all if it is empty. */
  readonly only: ReadonlySet<string>;
  /** The file of a RenderConfig for clusters without one of their own. */
  readonly renderConfig: string | undefined;
  readonly autoNode: boolean;
  /** The options, which come before a cluster's settings. */
  readonly forced: Given<"watch">;
  /** The WatchConfig, which comes after them. */
  readonly defaults: Given<"watchConfig"> & Given<"cluster">;
}

export interface Run {
  readonly options: RunOptions;
  readonly ending: ShutdownSignal;
  readonly state: FleetState;
  readonly log: (entry: LogEntry) => void;
  /** For all hosted clusters: read for the first pool. It returns undefined if it cannot be read. */
  readonly catalogue: OptionalCatalogueFor;
}
