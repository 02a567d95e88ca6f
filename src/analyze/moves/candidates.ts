/** Which nodes of a cluster Karpenter's disruption controller considers, with what they cost. */
import { INSTANCE_TYPE } from "../../karpenter/catalogue/catalogue.ts";
import type { OfferingPrices } from "../../karpenter/catalogue/offering-prices.ts";
import type {
  Candidate,
  CandidatePool,
  PoolTotals,
  RunningCluster,
  RunningNode,
} from "../../karpenter/consolidation/cluster.ts";
import type { Allowed } from "../../karpenter/consolidation/methods.ts";
import { evictionCost } from "../../karpenter/disruption/node-limit-candidates.ts";
import { textsAt } from "../../krm/places/text-at.ts";
import type { DisruptionReason } from "../../model/pools/disruption-reasons.ts";
import { CAPACITY_TYPE, NODE_POOL, ZONE } from "../../model/requirements/label-keys.ts";
import { RESERVATION_LABELS } from "../../model/requirements/labels.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { candidateBlockers } from "../disrupt/blockers.ts";
import { budgetRoom } from "../disrupt/budget-room.ts";
import { nodeBlockers } from "../disrupt/node-blockers.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import type { DisruptionWorld } from "../disrupt/world.ts";
import type { HeldPod } from "../nodes/held-pod.ts";

export interface Candidates {
  /** Sorted by name. */
  readonly candidates: (reason: DisruptionReason, isStatic?: boolean) => readonly Candidate[];
  readonly allowed: (reason: DisruptionReason) => Allowed;
  /** A node that stays so far, whatever blocks it; undefined without a pool of this cluster. */
  readonly nodeNamed: (name: string) => Candidate | undefined;
}

/**
 * @param nodeOf the nodes that stay so far
 * @param isBlocked whether something holds the node; may be remembered by the state of the node
 */
export function candidatesIn(
  { catalogue, prices }: RunningCluster,
  world: DisruptionWorld,
  nodeOf: ReadonlyMap<NodeState, RunningNode>,
  isBlocked = (state: NodeState, reason: DisruptionReason): boolean =>
    candidateBlockers(state, reason, world).length > 0,
): Candidates {
  const typeOf = typesByName(catalogue);
  const pools = poolsOf(world, prices, typeOf);
  const candidateFor = (state: NodeState): Candidate | undefined => {
    const node = nodeOf.get(state);
    const pool = pools.get(state.nodePool ?? "");
    return node && pool && candidateOf(state, node, pool, world, prices, typeOf);
  };
  return {
    candidates: (reason, isStatic = false) =>
      world.nodes
        .flatMap((state): Candidate[] => {
          const pool = pools.get(state.nodePool ?? "");
          if (pool === undefined || (pool.replicas !== undefined) !== isStatic) return [];
          if (isBlocked(state, reason)) return [];
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

const typesByName = memoizeByObject(
  ({ names }: RunningCluster["catalogue"]): ReadonlyMap<string, number> =>
    new Map(names.map((name, index) => [name, index])),
);

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
    (labels) => labels[NODE_POOL] ?? "",
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
  const none = { price: 0, cost: 0 };
  return new Map(
    [...world.pools].map(([name, { policy, replicas }]) => [
      name,
      {
        name,
        policy: policy as CandidatePool["policy"],
        replicas,
        totals: policy === "Balanced" ? totalsOf(name) : none,
      },
    ]),
  );
}

const COUNTED = [INSTANCE_TYPE, CAPACITY_TYPE, ZONE];
