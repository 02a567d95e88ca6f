/** The cluster of a dump as Karpenter's disruption controller has it, and its candidates. */
import { NODE_POOL } from "../../model/requirements/label-keys.ts";
import { offeringPrices } from "../../karpenter/catalogue/offering-prices.ts";
import type { RunningCluster, RunningNode } from "../../karpenter/consolidation/cluster.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { BoundPod } from "../../karpenter/solver/topology.ts";
import type { SolverPod } from "../../karpenter/solver/world.ts";
import { textAt } from "../../krm/places/text-at.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { isCurrentlyReschedulable } from "../disrupt/pod-blockers.ts";
import type { DisruptedPool, DisruptionWorld } from "../disrupt/world.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { conditionOf, type HeldPod } from "../nodes/held-pod.ts";
import type { StandingNode } from "../plan/cluster-state.ts";
import { namespaceOf } from "../plan/expand-pods.ts";
import { unplacedPods } from "../plan/plan.ts";
import type { PlanWorld } from "../plan/plan-world.ts";
import { type Candidates, candidatesIn } from "./candidates.ts";

export interface Disruption extends Candidates {
  readonly world: DisruptionWorld;
  /** Every pool. */
  readonly targets: PlanWorld["targets"];
  /** What each pool says of a pod without a node. */
  readonly withoutNode: ReturnType<typeof unplacedPods>;
  readonly cluster: RunningCluster;
  /** The nodes that stay so far, by their state. */
  readonly nodeOf: ReadonlyMap<NodeState, RunningNode>;
}

/**
 * @param planned of the same dump, with no other pods than those of its DaemonSets
 * @param freed the name of a node of which all pods move, as if nothing held them
 */
export function disruptionOf(
  planned: PlanWorld,
  explained: ExplainedCluster,
  world: DisruptionWorld,
  freed?: string,
): Disruption {
  const { knownTypes } = explained;
  const { catalogue } = knownTypes.filter;
  const prices = offeringPrices(catalogue, knownTypes.prices?.origin as Parameters<typeof offeringPrices>[1]);
  const stateOf = new Map(world.nodes.map((state) => [state.pair.claim ?? state.pair.node, state]));
  const standing = planned.state?.standing ?? [];
  const all = standing.flatMap(({ pods, ended }) => [...pods, ...ended]);
  const made = new Map(planned.podsOf(all).map((pod) => [pod.demand, pod]));
  const reader: NodeReader = { planned, world, freed, boundOf: planned.boundOf, podOf: (demand) => made.get(demand) };
  const nodeOf = new Map(
    standing.map((one) => {
      const state = stateOf.get(one.pair.claim ?? one.pair.node)!;
      return [state, runningNode(one, state, reader)] as const;
    }),
  );
  const known = new Set(standing.flatMap(({ labelled }) => labelled?.name ?? []));
  const nodeNameOf = ({ resource }: PodDemand): string => textAt(resource.value, ["spec", "nodeName"]) ?? "";
  const isLeaving = ({ demand }: SolverPod): boolean => nodeNameOf(demand) !== "";
  const { pods: waiting, nodes: _nodes, around: _around, ...base } = planned.world;
  const cluster: RunningCluster = {
    nodes: [...nodeOf.values()],
    going: (planned.state?.labelled ?? []).filter(({ isActive }) => !isActive),
    others: (planned.state?.bound ?? []).filter((pod) => !known.has(nodeNameOf(pod))).map(planned.boundOf),
    pending: waiting.filter((pod) => !isLeaving(pod)),
    leaving: waiting.filter(isLeaving),
    base,
    prices,
    unpriced: prices.unpriced,
    catalogue,
    spotToSpot: world.gates.has("SpotToSpotConsolidation"),
    terminatesFirst: world.gates.has("TerminateFirstDrift"),
  };
  return {
    world,
    targets: planned.targets,
    withoutNode: unplacedPods(planned, explained),
    cluster,
    nodeOf,
    ...candidatesIn(cluster, world, nodeOf),
  };
}

/** How the pods of a node are read. */
export interface NodeReader {
  readonly planned: Pick<PlanWorld, "taking">;
  readonly world: DisruptionWorld;
  /** The name of a node of which all pods move. */
  readonly freed?: string | undefined;
  readonly boundOf: (demand: PodDemand) => BoundPod;
  readonly podOf: (demand: PodDemand) => SolverPod | undefined;
}

export function runningNode(standing: StandingNode, state: NodeState, reader: NodeReader): RunningNode {
  const { planned, world, boundOf } = reader;
  const { [NODE_POOL]: name = "" } = standing.labels;
  const pool = planned.taking.has(name) ? world.pools.get(name) : undefined;
  const moving = movesOf(state, reader);
  return {
    name: state.life.name,
    labels: standing.labels,
    solver: { ...standing.solver, isSettling: isSettling(state, pool, world.at) },
    labelled: standing.labelled,
    capacity: standing.capacity,
    pods: [
      ...standing.pods.map((pod) => ({ bound: boundOf(pod), moves: moving(pod) })),
      ...standing.ended.map((pod) => ({ bound: undefined, moves: moving(pod) })),
    ],
  };
}

/** The pod as it moves, if it does. */
function movesOf(
  { life }: NodeState,
  { world: { at }, freed, podOf }: NodeReader,
): (pod: PodDemand) => SolverPod | undefined {
  const held = new Map(life.pods.map((pod) => [pod.name, pod]));
  const isMoved = (pod: HeldPod): boolean =>
    life.name === freed ? pod.reschedulable : isCurrentlyReschedulable(pod, at);
  return (demand) => {
    const pod = held.get(`${namespaceOf(demand.resource)}/${demand.resource.name}`);
    if (pod === undefined || !isMoved(pod)) return undefined;
    const isPending = textAt(demand.resource.value, ["status", "phase"]) === "Pending";
    const moved = podOf(demand);
    return moved && { ...moved, isRunning: !isPending };
  };
}

/** `IsUnderConsolidateAfter` (pkg/utils/disruption). */
function isSettling(
  { pair, lastPodEvent, initializedAt }: NodeState,
  pool: DisruptedPool | undefined,
  at: number,
): boolean {
  const length = pool?.consolidateAfter.length ?? 0;
  if (length === 0 || conditionOf(pair.claim?.value, "Initialized") !== "True") return false;
  const since = lastPodEvent ?? initializedAt;
  return since !== undefined && at - since < length;
}
