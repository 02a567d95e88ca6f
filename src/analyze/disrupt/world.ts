/** What decides which nodes Karpenter disrupts: pools, nodes, gates and the time. */
import { type ReadBudget, readBudget } from "../../karpenter/disruption/disruption-budget.ts";
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { DEFAULT_BUDGETS } from "../../model/pools/disruption-reasons.ts";
import type { Profile } from "../../model/crds/profile.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import type { KarpenterGate } from "../../model/settings/karpenter-options.ts";
import { parseGoMilliseconds } from "../../model/values/go-duration.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import { conditionOf } from "../nodes/held-pod.ts";
import type { NodeState } from "./node-state.ts";

export interface DisruptionWorld {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly profile: Profile;
  /** The feature gates that are on. */
  readonly gates: ReadonlySet<KarpenterGate>;
  /** By name. */
  readonly pools: ReadonlyMap<string, DisruptedPool>;
  /** Every node of the cluster, as budgets count them. */
  readonly nodes: readonly NodeState[];
  /** Whether it is known which conditions of nodes the provider calls unhealthy: that of AWS. */
  readonly isRepairKnown: boolean;
  /** By the name of a node, a pending pod that Karpenter expects there. */
  readonly nominated: ReadonlyMap<string, string>;
  /** The names of nodes where Karpenter expects pods of CapacityBuffers. */
  readonly buffered: ReadonlySet<string>;
}

/** What of a NodePool decides about disruption. */
export interface DisruptedPool {
  readonly name: string;
  readonly resource: Resource;
  readonly budgets: readonly ReadBudget[];
  /** WhenEmpty, WhenEmptyOrUnderutilized or Balanced. */
  readonly policy: string;
  /** As written, and in milliseconds; those are undefined for Never. */
  readonly consolidateAfter: { readonly text: string; readonly length: number | undefined };
  /** Those of a static pool. */
  readonly replicas: number | undefined;
  /** `limits.nodes`. */
  readonly limit: number | undefined;
  /** Whether it is Ready and not being deleted, so that missing replicas come. */
  readonly refills: boolean;
  /**
   * Whether Karpenter has the instance type for the pool: `none` if the pool has no types at all, because its node class
   * is gone; undefined if that is not known.
   */
  readonly knowsType: (name: string) => "yes" | "no" | "none" | undefined;
}

/** @param pool as a NodePool of the cluster has it, or as one is rendered */
export function disruptedPool(
  { name, wrapper, spec, replicas }: Pick<ResolvedPool, "name" | "wrapper" | "spec" | "replicas">,
  knowsType: DisruptedPool["knowsType"],
): DisruptedPool {
  const { budgets = DEFAULT_BUDGETS, consolidationPolicy, consolidateAfter = "0s" } = spec.disruption ?? {};
  return {
    name,
    resource: wrapper,
    budgets: budgets.map(readBudget),
    policy: consolidationPolicy ?? "WhenEmptyOrUnderutilized",
    consolidateAfter: { text: consolidateAfter, length: parseGoMilliseconds(consolidateAfter) },
    replicas,
    limit: nodeLimitOf(spec.limits, "Soft")?.nodes,
    refills: conditionOf(wrapper.value, "Ready") === "True" && !isBeingDeleted(wrapper.value),
    knowsType,
  };
}

/** The nodes that Karpenter made for a pool, by the name of the pool. */
export function nodesOfPool({ nodes }: DisruptionWorld, pool: string): readonly NodeState[] {
  return byPool(nodes).get(pool) ?? NO_NODES;
}

const NO_NODES: readonly NodeState[] = [];

const byPool = memoizeByObject((nodes: readonly NodeState[]) =>
  Map.groupBy(
    nodes.filter(({ isManaged }) => isManaged),
    ({ nodePool }) => nodePool,
  ),
);
