/** The world of a cluster by its objects, without what Karpenter expects of pending pods. */
import type { Resource } from "../../krm/places/resource.ts";
import { AWS } from "../../karpenter/provider/aws.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { karpenterOptions } from "../../model/settings/karpenter-options.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { nodeStates } from "./node-state.ts";
import { type DisruptedPool, disruptedPool, type DisruptionWorld } from "./world.ts";

/** @param objects those that run @param at milliseconds since 1970 */
export function clusterWorld(objects: readonly Resource[], cluster: ExplainedCluster, at: number): DisruptionWorld {
  const { profile, karpenter = karpenterOptions(profile) } = cluster.knownTypes;
  return {
    at,
    profile,
    gates: karpenter.gates,
    pools: new Map(cluster.pools.map((pool) => [pool.name, disruptedPool(pool, typesKnown(pool, cluster))])),
    nodes: nodeStates(objects),
    isRepairKnown: cluster.pools.every(({ provider }) => provider === AWS),
    nominated: new Map(),
    buffered: new Set(),
  };
}

/** A node class that is being deleted counts as not found (docs/upstream/karpenter.md#pools-that-are-being-deleted). */
function typesKnown(
  { nodeClass }: ExplainedCluster["pools"][number],
  { knownTypes }: ExplainedCluster,
): DisruptedPool["knowsType"] {
  if (nodeClass !== undefined && isBeingDeleted(nodeClass.value)) return () => "none";
  if (knownTypes.typesUnknown === true) return () => undefined;
  const names = new Set(knownTypes.filter.catalogue.names);
  return (name) => (names.has(name) ? "yes" : "no");
}
