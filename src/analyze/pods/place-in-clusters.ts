/** Places pods if several Karpenters of different providers share one cluster. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { InputMode } from "../../model/input-mode.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { type PlacedPod, placePods } from "./place-pods.ts";

/** Hosted clusters are independent. The results for the providers of one cluster are combined. */
export function placeInClusters(
  pods: readonly PodDemand[],
  clusters: readonly ExplainedCluster[],
  mode: InputMode,
): PlacedPod[] {
  const placed = clusters.map((cluster) => placePods(pods, cluster));
  if (mode === "hosted") return placed.flat();
  const [first = [], ...others] = placed;
  return first.map((pod, index) => others.map((other) => other[index]!).reduce(together, pod));
}

/** The first provider that takes the pod gets it. */
function together(one: PlacedPod, other: PlacedPod): PlacedPod {
  const attempts = [...one.attempts, ...other.attempts];
  const taker = [one, other].find(({ takenBy }) => takenBy !== null);
  const notConsidered = [...new Set([...one.notConsidered, ...other.notConsidered])];
  // A reason to ignore the pod is the same for each Karpenter.
  const why = attempts.length < 2 ? one.why : `none of the ${String(attempts.length)} pools takes it`;
  return { ...(taker ?? { ...one, why }), attempts, notConsidered };
}
