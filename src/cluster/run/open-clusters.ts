/** Clusters as the user names them in, clusters that answer out; all their connections are closed together. */
import { allConnections } from "../api/connections.ts";
import type { DoorOptions } from "../api/http-door.ts";
import { httpClusterApi } from "../api/http-cluster-api.ts";
import type { KubeAccessOptions } from "../api/kube-access.ts";
import { directoryReader } from "../read/read-directory.ts";
import type { ClusterSpec } from "./run-watch.ts";
import type { WatchedCluster } from "./watched-cluster.ts";

export interface OpenClusters {
  readonly clusters: readonly WatchedCluster[];
  readonly close: () => void;
}

/** @throws ClusterError where a kubeconfig cannot be used */
export function openClusters(specs: readonly ClusterSpec[], settleMs: number, door: DoorOptions): OpenClusters {
  const connections = allConnections();
  const open = (access: KubeAccessOptions) => httpClusterApi({ ...access, ...door, connections });
  const { close } = connections;
  try {
    const clusters = specs.map((spec): WatchedCluster => ({
      ...spec,
      settleMs,
      readDirectory: directoryReader(spec.source),
      guest: open(spec.guest),
      management: spec.management === undefined ? undefined : open(spec.management),
    }));
    return { clusters, close };
  } catch (error) {
    close();
    throw error;
  }
}
