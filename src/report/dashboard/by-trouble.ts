/** Clusters in the order in which somebody should look, those of one cause beside each other. */
import { readyMessage, resultOf } from "./cluster-words.ts";
import type { ClusterView } from "./fleet-view.ts";

/** What failed or nobody works on first, then what is held, then what nobody has looked at, and last what is well. */
const RANKS = ["failed", "untried", "held", undefined, "ok"] as const;

/**
 * Within a rank the cause that most have comes first, and else they stay in the order of the configuration: a row moves
 * only when its cluster comes to stand otherwise.
 */
export function byTrouble(clusters: readonly ClusterView[]): ClusterView[] {
  const causes = new Map<string, ClusterView[]>();
  for (const cluster of clusters) {
    const cause = causeOf(cluster) ?? String(resultOf(cluster));
    const alike = causes.get(cause);
    if (alike === undefined) causes.set(cause, [cluster]);
    else alike.push(cluster);
  }
  const rank = (cluster: ClusterView) => RANKS.indexOf(resultOf(cluster));
  // Sorting is stable: causes of as many clusters stay in the order in which they are met.
  return [...causes.values()]
    .toSorted(([a, ...others], [b, ...more]) => rank(a!) - rank(b!) || more.length - others.length)
    .flat();
}

/** How many other clusters stand as this one does, for the same reason. */
export function alikeOf(cluster: ClusterView, clusters: readonly ClusterView[]): number {
  const cause = causeOf(cluster);
  return cause === undefined ? 0 : clusters.filter((one) => causeOf(one) === cause).length - 1;
}

/**
 * Undefined where nothing is wrong. The cluster's own names are no part of it: what is missing in each of many hosted
 * clusters is one cause.
 */
function causeOf(cluster: ClusterView): string | undefined {
  const result = resultOf(cluster);
  if (result === undefined || result === "ok") return undefined;
  // In each of many shards, it is one cause.
  if (result === "untried") return result;
  const { name, hostedCluster, pass } = cluster;
  const message = readyMessage(cluster).replaceAll(hostedCluster, "…").replaceAll(name, "…");
  return `${result} ${pass?.ready.reason ?? ""} ${message}`;
}
