/** Sorts clusters by the severity of their state, and groups those with one cause. */
import { readyMessage, resultOf } from "./cluster-words.ts";
import type { ClusterView } from "./fleet-view.ts";

/** Failed clusters come first, then held ones, then those without a pass, and healthy ones last. */
const RANKS = ["failed", "held", undefined, "ok"] as const;

/**
 * Within a rank the most frequent cause comes first; otherwise clusters keep the order of the configuration, so that a row
 * moves only when the state of its cluster changes.
 */
export function sortBySeverity(clusters: readonly ClusterView[]): ClusterView[] {
  const causes = Map.groupBy(clusters, (cluster) => causeOf(cluster) ?? String(resultOf(cluster)));
  const rank = ([cluster]: readonly ClusterView[]) => RANKS.indexOf(resultOf(cluster!));
  // Sorting is stable: causes of equally many clusters stay in the order of their first clusters.
  return [...causes.values()].toSorted((a, b) => rank(a) - rank(b) || b.length - a.length).flat();
}

/** The number of other clusters that have the same state for the same reason. */
export function alikeOf(cluster: ClusterView, clusters: readonly ClusterView[]): number {
  const cause = causeOf(cluster);
  return cause === undefined ? 0 : clusters.filter((one) => causeOf(one) === cause).length - 1;
}

/**
 * Undefined if nothing is wrong. Names of the cluster are replaced, so that the same problem in many hosted clusters is
 * one cause.
 */
function causeOf(cluster: ClusterView): string | undefined {
  const result = resultOf(cluster);
  if (result === undefined || result === "ok") return undefined;
  const { name, hostedCluster, pass } = cluster;
  const message = readyMessage(cluster).replaceAll(hostedCluster, "…").replaceAll(name, "…");
  return `${result} ${pass?.ready.reason ?? ""} ${message}`;
}
