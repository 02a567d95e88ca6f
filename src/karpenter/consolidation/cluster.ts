/** A cluster as Karpenter's disruption controller sees it. */
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { OfferingPrices } from "../catalogue/offering-prices.ts";
import type { Labels } from "../scheduling/label-selector.ts";
import type { Amounts } from "../scheduling/resources.ts";
import type { BoundPod, LabelledNode } from "../solver/topology.ts";
import type { PlannedClaim, SolverNode, SolverPod, SolverWorld } from "../solver/world.ts";

interface PodOfNode {
  /** Undefined if it has ended, and comes again. */
  readonly bound: BoundPod | undefined;
  /** The pod as it has to be placed elsewhere; undefined if Karpenter does not move it. */
  readonly moves: SolverPod | undefined;
}

/** A node or a NodeClaim with an instance, that stays so far. */
export interface RunningNode {
  readonly name: string;
  readonly labels: Labels;
  /** As the scheduler may place pods on it. */
  readonly solver: SolverNode;
  /** Undefined without a Node. */
  readonly labelled: LabelledNode | undefined;
  /** What it counts for against the limits of its pool. */
  readonly capacity: Amounts;
  readonly pods: readonly PodOfNode[];
}

/** A node that may be disrupted for some reason; whether it may is decided elsewhere. */
export interface Candidate {
  readonly node: RunningNode;
  readonly pool: CandidatePool;
  /** In the catalogue; undefined if its instance type is not among those of its pool. */
  readonly type: number | undefined;
  readonly capacityType: string;
  /** Per hour; 0 if it is not known, as Karpenter counts a node of capacity that is not offered any more. */
  readonly price: number;
  /** `RescheduleDisruptionCost`: 1, and what the pods cost that have to move. */
  readonly cost: number;
  /** How many pods have to move, with those that cannot be evicted at the moment. */
  readonly pods: number;
  /** Milliseconds since 1970 since when it is drifted. */
  readonly driftedAt: number | undefined;
  /** The capacity reservation that it uses. */
  readonly reservation: string | undefined;
}

export interface CandidatePool {
  readonly name: string;
  readonly policy: "WhenEmpty" | "WhenEmptyOrUnderutilized" | "Balanced";
  /** Undefined for a pool that is not static. */
  readonly replicas: number | undefined;
  /** Of Balanced, what its nodes cost an hour, and what it costs to disrupt all of them; 0 for other policies. */
  readonly totals: PoolTotals;
}

export interface PoolTotals {
  readonly price: number;
  readonly cost: number;
}

export interface RunningCluster {
  /** In the order in which the scheduler tries them. */
  readonly nodes: readonly RunningNode[];
  /** Of nodes that go. */
  readonly going: readonly LabelledNode[];
  /** What has a node that is not known, or one that goes, and stays there. */
  readonly others: readonly BoundPod[];
  /** Pods without a node. */
  readonly pending: readonly SolverPod[];
  /** Those of nodes that go. */
  readonly leaving: readonly SolverPod[];
  /** What else the scheduler starts from. */
  readonly base: Omit<SolverWorld, "pods" | "nodes" | "around">;
  readonly prices: OfferingPrices;
  /** Capacity types that are offered and have no price, which Karpenter does know. */
  readonly unpriced: ReadonlySet<string>;
  readonly catalogue: Catalogue;
  readonly spotToSpot: boolean;
  readonly terminatesFirst: boolean;
}

/** What Karpenter does with nodes at once. */
export interface Command {
  readonly candidates: readonly Candidate[];
  readonly decision: "delete" | "replace" | "terminate-first";
  readonly replacements: readonly Replacement[];
  /** Where pods go that find room, by node. */
  readonly existing: ReadonlyMap<string, readonly SolverPod[]>;
}

export interface Replacement {
  /** Its requirements and types are those that it is launched with. */
  readonly claim: PlannedClaim;
  /** In the catalogue, the cheapest first. */
  readonly types: readonly number[];
}
