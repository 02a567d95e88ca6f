/** Opens the clusters of flags or a WatchConfig, and closes all their connections together. */
import type { ClusterApi } from "../api/cluster-api.ts";
import { ClusterError } from "../api/api-answer.ts";
import { allConnections } from "../api/connections.ts";
import type { HttpClientOptions } from "../api/http-client.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import { type KubeAccessOptions, pendingKubeAccess } from "../api/kube-access.ts";
import { directoryReader } from "../read/read-directory.ts";
import type { ClusterSpec } from "./run.ts";
import type { WatchedCluster } from "../objects/watched-cluster.ts";

export interface OpenClusters {
  readonly clusters: readonly WatchedCluster[];
  readonly close: () => void;
}

interface Opened {
  readonly api: ClusterApi;
  /** Why its kubeconfig cannot be used yet. */
  readonly error: ClusterError | undefined;
}

/** A client that deletes many wrappers (kubectl, Argo CD, the namespace controller) pauses for less between two of them. */
export const PRUNE_AFTER_MS = 2000;

/** The client of a cluster; if its kubeconfig cannot be used yet, each request reads it again. */
export function openAccess(access: KubeAccessOptions, client: HttpClientOptions): Opened {
  try {
    return { api: httpClusterApi({ ...access, ...client }), error: undefined };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { api: httpClusterApi({ access: pendingKubeAccess(access), ...client }), error };
  }
}

/**
 * A kubeconfig that cannot be used affects its own hosted cluster only, until it can be used.
 *
 * @throws ClusterError if no cluster can be opened, because then the configuration is wrong
 */
export function openClusters(specs: readonly ClusterSpec[], settleMs: number, client: HttpClientOptions): OpenClusters {
  const connections = allConnections();
  const open = (access: KubeAccessOptions): Opened => openAccess(access, { ...client, connections });
  const { close } = connections;
  try {
    const errors: (ClusterError | undefined)[] = [];
    const clusters = specs.map((spec): WatchedCluster => {
      const guest = open(spec.guest);
      const management = spec.management === undefined ? undefined : open(spec.management);
      errors.push(guest.error ?? management?.error);
      const readDirectory = directoryReader(spec.source);
      const apis = { guest: guest.api, management: management?.api };
      return { ...spec, ...apis, readDirectory, settleMs, pruneAfterMs: PRUNE_AFTER_MS };
    });
    const [first] = errors;
    if (first !== undefined && !errors.includes(undefined)) throw first;
    return { clusters, close };
  } catch (error) {
    close();
    throw error;
  }
}
