/** The pools, pods and nodes of a cluster as Karpenter's scheduler starts from them. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import type { SolverPod, SolverPool, SolverWorld } from "../../karpenter/solver/world.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { reportedReady } from "../explain/describe-clusters.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { comparableLimits, usedOf } from "../explain/pool-limits.ts";
import { type PodPool, podPool } from "../pods/pool.ts";
import { hasClaims, refusalOf } from "../pods/refusal.ts";
import { expandPods } from "./expand-pods.ts";

export interface IgnoredPod {
  readonly pod: SolverPod;
  readonly why: string;
}

export interface PlanWorld {
  readonly world: SolverWorld;
  /** Every pool, in the order in which Karpenter tries them, even if it gets no nodes. */
  readonly targets: readonly PodPool[];
  /** The pods that Karpenter passes over. */
  readonly ignored: readonly IgnoredPod[];
}

/** @param demands pods, workloads and DaemonSets */
export function planWorld(demands: readonly PodDemand[], cluster: ExplainedCluster): PlanWorld {
  const { knownTypes, pools, explanations } = cluster;
  const { filter, profile, karpenter } = knownTypes;
  const daemonSets = demands.filter((pod) => isDaemonSet(pod.resource) && !hasClaims(pod));
  const explanationOf = new Map(explanations.map((explanation) => [explanation.pool, explanation]));
  const targets = poolOrder(pools).map((pool) => podPool(pool, explanationOf.get(pool)!, daemonSets, knownTypes));
  const made = targets.filter(takesPods).map((target) => solverPool(target, cluster));
  const relaxing = {
    taintsRelent: made.some(({ taints }) => taints.some(({ effect }) => effect === "PreferNoSchedule")),
    ignoresPreferences: karpenter?.preferencePolicy === "Ignore",
  };
  const asked = demands.filter(({ resource }) => !isDaemonSet(resource));
  const expanded = expandPods(asked, relaxing, () => undefined);
  const refusals = new Map(asked.map((pod) => [pod, refusalOf(pod, filter.catalogue.wellKnown)]));
  const ignored = expanded.flatMap((pod): IgnoredPod[] => {
    const why = refusals.get(pod.shape.demand);
    return why === undefined ? [] : [{ pod, why }];
  });
  return {
    targets,
    ignored,
    world: {
      filter,
      pools: made.filter(({ types }) => !isNone(types)),
      domainPools: made,
      pods: expanded.filter((pod) => refusals.get(pod.shape.demand) === undefined),
      nodes: [],
      around: { nodes: [], pods: [] },
      countsOnlyAllowed: profile === "karpenter-1.15",
      relaxesMinValues: karpenter?.minValuesPolicy === "BestEffort",
    },
  };
}

/** `NewScheduler` (provisioner.go): static pools, those that are not ready and those that are being deleted take none. */
function takesPods({ pool }: PodPool): boolean {
  const { wrapper, replicas } = pool;
  const isLive = wrapper.kind === "NodePool";
  const ready = isLive ? reportedReady(wrapper) : undefined;
  const isReady = ready === undefined || ready.status === "True";
  return replicas === undefined && isReady && !(isLive && isBeingDeleted(wrapper.value));
}

function solverPool(target: PodPool, { knownTypes, explanations }: ExplainedCluster): SolverPool {
  const { pool, requirements, ofClass, types, nodes, daemons } = target;
  const explanation = explanations.find((one) => one.pool === pool)!;
  const used = usedOf(pool) ?? {};
  const nano = (quantity: string | number): bigint => parseQuantity(String(quantity))?.nano ?? 0n;
  const limits = Object.entries(comparableLimits(pool, nodes)).filter(
    ([resource]) => resource !== "ephemeral-storage" || nodes.capacity?.has(resource) === true,
  );
  return {
    name: pool.name,
    taints: pool.spec.template.spec.taints ?? [],
    written: new Map(explanation.requirements.map(({ key, effective }) => [key, effective])),
    requirements,
    ofClass,
    types,
    nodes,
    daemons,
    left: new Map(limits.map(([resource, limit]) => [resource, nano(limit) - nano(used[resource] ?? 0)])),
    prices: knownTypes.prices,
  };
}
