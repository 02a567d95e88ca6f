/** The options of `anp watch`, and what they mean together with a WatchConfig. */
import type { KubeAccessOptions } from "../../cluster/api/kube-access.ts";
import type { LogEntry } from "../../cluster/objects/log-entry.ts";
import type { ShardRange } from "../../model/settings/discover-config.ts";
import { parseListenAddress } from "../../model/settings/settings.ts";
import { type Given, intervalMs, settled, watchSettings } from "../../model/settings/settings.ts";
import type { WatchConfig } from "../../model/settings/watch-config.ts";

export interface WatchOptions extends Given<"watch"> {
  readonly name?: string;
  /** Clusters of a WatchConfig; all if undefined. */
  readonly cluster?: readonly string[];
  readonly guestKubeconfig?: string;
  readonly guestContext?: string;
  readonly managementKubeconfig?: string;
  readonly managementContext?: string;
  readonly allowExec?: boolean;
  readonly config?: string;
  readonly featureGates: "AutoNode=true" | "AutoNode=false";
  readonly once?: boolean;
  readonly adopt: readonly string[];
  readonly leaderElect?: boolean;
  readonly leaderElectionNamespace?: string;
  readonly leaderElectionName?: string;
  readonly shardRange?: ShardRange;
  readonly logFormat: "json" | "logfmt";
}

/** What options alone say of each cluster. */
export function alike({ adopt, allowEmpty = false, featureGates }: WatchOptions) {
  return { adopt: new Set(adopt), allowEmpty, autoNode: featureGates === "AutoNode=true" };
}

/** How a named cluster is kept. @param layers its own settings, then those of all */
export function keptBy(options: WatchOptions, ...layers: readonly object[]) {
  const { autoNode, ...shared } = alike(options);
  const { render, ...kept } = watchSettings(options, ...layers);
  return { ...shared, ...kept, render: { ...render, autoNode } };
}

const WORKERS =
  "anp has no worker threads any more, and the watch goes on without them. Remove the field. If a pass of a cluster ends " +
  "its process, the next passes of that cluster run in a process of their own (docs/watch-fleet.md#crashes).";

/** What a run does for all its clusters, and a line for the log about a field without effect. */
export function runSettings(options: WatchOptions, spec: Partial<WatchConfig["spec"]> = {}) {
  const { interval, concurrency, listen } = settled("watchConfig", options, spec);
  const notice = { level: "warn", msg: "field without effect", fields: { field: "spec.workers", reason: WORKERS } };
  return {
    notices: spec.workers === undefined ? [] : [notice as LogEntry],
    intervalMs: intervalMs(interval)!,
    concurrency,
    listen: listen === undefined ? undefined : parseListenAddress(listen),
  };
}

export interface Near {
  readonly path: (path: string) => string;
  readonly access: (given: {
    readonly kubeconfig?: string | undefined;
    readonly context?: string | undefined;
  }) => KubeAccessOptions;
}

/** Paths in a file are relative to it. */
export function near(file: string): Near {
  const toPath = (path: string): string =>
    path.startsWith("/") || !file.includes("/") ? path : `${file.slice(0, file.lastIndexOf("/"))}/${path}`;
  return {
    path: toPath,
    access: ({ kubeconfig, context }) => ({
      kubeconfig: kubeconfig === undefined ? undefined : toPath(kubeconfig),
      context,
    }),
  };
}
