/** The options of a run of `anp watch`, and the state that all its parts share. */
import type { CatalogueFor } from "../../analyze/explain/explain.ts";
import type { Finding } from "../../krm/finding.ts";
import type { ListenAddress } from "../../model/listen-address.ts";
import type { Profile } from "../../model/profile.ts";
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
  /** Asked right before each request of a single pass; there is no fence when left out. */
  readonly mayAsk?: (() => boolean) | undefined;
  /** Told before anything else. */
  readonly notices?: readonly LogEntry[] | undefined;
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

type Kept = Pick<
  WatchedCluster,
  "adopt" | "allowEmpty" | "dryRun" | "installCrds" | "maxPrune" | "nodeLimits" | "onPolicyUnreadable" | "render"
>;

/** How hosted clusters are found, reached and kept. */
export interface DiscoverSpec {
  /** The cluster that has the hosted control planes. */
  readonly management: KubeAccessOptions;
  /** Of labels of HostedControlPlanes. */
  readonly selector: string | undefined;
  readonly kubeconfigSecret: { readonly name: string; readonly key: string };
  /** With `{namespace}` in its address. */
  readonly server: ServerAddress | undefined;
  /** Ranges of addresses and names that the servers of guests may have; any where there are none. */
  readonly allowedServers: readonly string[] | undefined;
  /** Of watches that have another name than the namespace. */
  readonly names: Readonly<Record<string, string>>;
  /** Names of the only ones that are wanted; empty for all. */
  readonly only: ReadonlySet<string>;
  /** The file of a RenderConfig for all that have none of their own. */
  readonly renderConfig: string | undefined;
  /** Where a cluster's settings say nothing else. */
  readonly defaults: Kept;
  /** Whatever a cluster's settings say. */
  readonly forced: Partial<Omit<Kept, "render">> & { readonly intervalMs?: number; readonly profile?: Profile };
}

export interface Run {
  readonly options: RunOptions;
  readonly ending: ShutdownSignal;
  readonly state: FleetState;
  readonly log: (entry: LogEntry) => void;
  /** For all hosted clusters: read when the first of them has a pool. Undefined where it cannot be read. */
  readonly catalogue: OptionalCatalogueFor;
}
