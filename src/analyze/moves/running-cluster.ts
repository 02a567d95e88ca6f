/** The cluster of a dump as Karpenter's disruption controller has it, and its candidates. */
import { offeringPrices, type OfferingPrices } from "../../karpenter/catalogue/offering-prices.ts";
import type {
  Candidate,
  CandidatePool,
  PoolTotals,
  RunningCluster,
  RunningNode,
} from "../../karpenter/consolidation/cluster.ts";
import type { Allowed } from "../../karpenter/consolidation/methods.ts";
import { evictionCost } from "../../karpenter/disruption/node-limit-candidates.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { SolverPod } from "../../karpenter/solver/world.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { CAPACITY_TYPE, ZONE } from "../../model/requirements/label-keys.ts";
import { RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import type { DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { conditionOf, type HeldPod } from "../nodes/held-pod.ts";
import { namespaceOf } from "../plan/expand-pods.ts";
import { unplacedPods } from "../plan/plan.ts";
import type { PlanWorld } from "../plan/plan-world.ts";
import { candidateBlockers } from "../disrupt/blockers.ts";
import { budgetRoom } from "../disrupt/budget-room.ts";
import { nodeBlockers } from "../disrupt/node-blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { isCurrentlyReschedulable } from "../disrupt/pod-blockers.ts";
import type { DisruptedPool, DisruptionWorld } from "../disrupt/world.ts";

export interface Disruption {
  readonly world: DisruptionWorld;
  /** Every pool. */
  readonly targets: PlanWorld["targets"];
  /** What each pool says of a pod without a node. */
  readonly withoutNode: ReturnType<typeof unplacedPods>;
  readonly cluster: RunningCluster;
  /** Sorted by name. */
  readonly candidates: (reason: DisruptionReason, isStatic?: boolean) => readonly Candidate[];
  readonly allowed: (reason: DisruptionReason) => Allowed;
  /** A node that stays so far, whatever blocks it; undefined without a pool of this cluster. */
  readonly nodeNamed: (name: string) => Candidate | undefined;
}

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
const POOL = "karpenter.sh/nodepool";

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
  const typeOf = new Map(catalogue.names.map((name, index) => [name, index]));
  const stateOf = new Map(world.nodes.map((state) => [state.pair.claim ?? state.pair.node, state]));
  const standing = planned.state?.standing ?? [];
  const moving = movesOf(planned, world, freed);
  const nodes = standing.map((one): RunningNode => {
    const state = stateOf.get(one.pair.claim ?? one.pair.node)!;
    const { [POOL]: name = "" } = one.labels;
    const pool = planned.taking.has(name) ? world.pools.get(name) : undefined;
    return {
      name: state.life.name,
      labels: one.labels,
      solver: { ...one.solver, isSettling: isSettling(state, pool, world.at) },
      labelled: one.labelled,
      capacity: one.capacity,
      pods: [
        ...one.pods.map((pod) => ({ bound: planned.boundOf(pod), moves: moving(pod, state) })),
        ...one.ended.map((pod) => ({ bound: undefined, moves: moving(pod, state) })),
      ],
    };
  });
  const known = new Set(standing.flatMap(({ labelled }) => labelled?.name ?? []));
  const nodeNameOf = ({ resource }: PodDemand): string => textAt(resource.value, ["spec", "nodeName"]) ?? "";
  const isLeaving = ({ demand }: SolverPod): boolean => nodeNameOf(demand) !== "";
  const { pods: waiting, nodes: _nodes, around: _around, ...base } = planned.world;
  const cluster: RunningCluster = {
    nodes,
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
  const pools = poolsOf(world, prices, typeOf);
  const nodeOf = new Map(standing.map(({ pair }, at) => [pair.claim ?? pair.node, nodes[at]!]));
  const candidateFor = (state: NodeState): Candidate | undefined => {
    const node = nodeOf.get(state.pair.claim ?? state.pair.node);
    const pool = pools.get(state.nodePool ?? "");
    return node && pool && candidateOf(state, node, pool, world, prices, typeOf);
  };
  return {
    world,
    targets: planned.targets,
    withoutNode: unplacedPods(planned, explained),
    cluster,
    candidates: (reason, isStatic = false) =>
      world.nodes
        .flatMap((state): Candidate[] => {
          const pool = pools.get(state.nodePool ?? "");
          if (pool === undefined || (pool.replicas !== undefined) !== isStatic) return [];
          if (candidateBlockers(state, reason, world).length > 0) return [];
          return [candidateFor(state) ?? []].flat();
        })
        .toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1)),
    nodeNamed: (name) => {
      const state = world.nodes.find(({ life }) => life.name === name);
      return state && candidateFor(state);
    },
    allowed: (reason) => new Map([...world.pools].map(([name, pool]) => [name, budgetRoom(pool, reason, world).left])),
  };
}

function candidateOf(
  state: NodeState,
  node: RunningNode,
  pool: CandidatePool,
  { profile }: DisruptionWorld,
  prices: OfferingPrices,
  typeOf: ReadonlyMap<string, number>,
): Candidate {
  const { labels, life } = state;
  const moving = life.pods.filter(({ reschedulable }) => reschedulable);
  const capacityType = labels[CAPACITY_TYPE] ?? "";
  return {
    node,
    pool,
    type: typeOf.get(labels[INSTANCE_TYPE] ?? ""),
    capacityType,
    price: priceOf(labels, prices, typeOf),
    cost: costOf(moving, profile),
    pods: moving.length,
    driftedAt: state.drifted?.since,
    reservation: RESERVATION_IDS.map((key) => labels[key]).find((id) => id !== undefined),
  };
}

const RESERVATION_IDS = Object.values(RESERVATION_LABELS).map(([id]) => id!);

/** `ResolveOfferingPrice` (pkg/utils/disruption). */
function priceOf(
  labels: Readonly<Record<string, string>>,
  prices: OfferingPrices,
  typeOf: ReadonlyMap<string, number>,
): number {
  const type = typeOf.get(labels[INSTANCE_TYPE] ?? "");
  return type === undefined ? 0 : (prices.ofNode(type, labels[ZONE] ?? "", labels[CAPACITY_TYPE] ?? "") ?? 0);
}

/** `ComputeRescheduleDisruptionCost`. */
function costOf(pods: readonly HeldPod[], profile: DisruptionWorld["profile"]): number {
  return pods.reduce((sum, pod) => sum + Math.max(0, evictionCost(pod, profile)), 1);
}

/** `computeNodePoolTotals` (balanced.go), with the prices of NodeClaims as ClusterCost counts them. */
function poolsOf(
  world: DisruptionWorld,
  prices: OfferingPrices,
  typeOf: ReadonlyMap<string, number>,
): ReadonlyMap<string, CandidatePool> {
  const byPool = Map.groupBy(world.nodes, ({ nodePool }) => nodePool ?? "");
  const claims = world.nodes.flatMap(({ pair }) => (pair.claim === undefined ? [] : [pair.claim]));
  const byClaim = Map.groupBy(
    claims.map(({ value }) => textsAt(value, ["metadata", "labels"])),
    (labels) => labels[POOL] ?? "",
  );
  const totalsOf = (name: string): PoolTotals => {
    const nodes = (byPool.get(name) ?? []).map((state) => ({
      state,
      isCandidate: nodeBlockers(state, "graceful", world).length === 0,
    }));
    const labelled = (byClaim.get(name) ?? []).filter((labels) => COUNTED.every((key) => labels[key] !== undefined));
    const ofClaims = labelled.reduce((sum, labels) => sum + priceOf(labels, prices, typeOf), 0);
    const ofCandidates = nodes.reduce(
      (sum, { state, isCandidate }) => sum + (isCandidate ? priceOf(state.labels, prices, typeOf) : 0),
      0,
    );
    const cost = nodes.reduce((sum, { state, isCandidate }) => {
      const { pods } = state.life;
      const own = pods.filter(({ reschedulable, ofDaemonSet, ended }) =>
        isCandidate ? reschedulable : !ofDaemonSet && !ended,
      );
      return sum + costOf(own, world.profile);
    }, 0);
    return { price: ofClaims > 0 ? ofClaims : ofCandidates, cost };
  };
  return new Map(
    [...world.pools].map(([name, { policy, replicas }]) => [
      name,
      { name, policy: policy as CandidatePool["policy"], replicas, totals: totalsOf(name) },
    ]),
  );
}

const COUNTED = [INSTANCE_TYPE, CAPACITY_TYPE, ZONE];

/** The pod as it moves, if it does. */
function movesOf(
  planned: PlanWorld,
  { at }: DisruptionWorld,
  freed: string | undefined,
): (pod: PodDemand, state: NodeState) => SolverPod | undefined {
  const all = (planned.state?.standing ?? []).flatMap(({ pods, ended }) => [...pods, ...ended]);
  const made = new Map(planned.podsOf(all).map((pod) => [pod.demand, pod]));
  const held = new WeakMap<NodeState, ReadonlyMap<string, HeldPod>>();
  return (demand, state) => {
    const own = held.get(state) ?? new Map(state.life.pods.map((pod) => [pod.name, pod]));
    held.set(state, own);
    const pod = own.get(`${namespaceOf(demand.resource)}/${demand.resource.name}`);
    if (pod === undefined) return undefined;
    const isMoved = state.life.name === freed ? pod.reschedulable : isCurrentlyReschedulable(pod, at);
    if (!isMoved) return undefined;
    const isPending = textAt(demand.resource.value, ["status", "phase"]) === "Pending";
    const moved = made.get(demand);
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
