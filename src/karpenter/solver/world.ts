/** What a round of Karpenter's scheduler starts from, and what comes out of it. */
import type { TypeFilter } from "../catalogue/type-filter.ts";
import type { TypeMask } from "../catalogue/type-mask.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { PriceIndex } from "../catalogue/price-index.ts";
import type { Requirements } from "../requirements/requirements.ts";
import type { DaemonGroup } from "../scheduling/daemon-overhead.ts";
import type { PodDemand } from "../scheduling/pod-requests.ts";
import type { Labels } from "../scheduling/label-selector.ts";
import type { Amounts } from "../scheduling/resources.ts";
import type { Taint } from "../scheduling/taints.ts";
import type { DomainPool } from "./domains.ts";
import type { PodShape } from "./pod-shape.ts";
import type { BoundPod, LabelledNode, Tie } from "./topology.ts";
import type { TieChoice, TopologyGroup } from "./topology-group.ts";

/** A pool that may get nodes. */
export interface SolverPool extends DomainPool {
  readonly name: string;
  /** With the labels that Karpenter adds to its nodes. */
  readonly requirements: Requirements;
  /** The instance types before any pod. */
  readonly types: TypeMask;
  /** What nodes of its class have. */
  readonly nodes: Catalogue;
  readonly daemons: readonly DaemonGroup[];
  /** What is left of its limits, by resource. */
  readonly left: ReadonlyMap<string, bigint>;
  readonly prices: PriceIndex | undefined;
}

export interface SolverPod {
  readonly demand: PodDemand;
  /** The same object for pods that are alike. */
  readonly shape: PodShape;
  /** The namespace and name that the answer has. */
  readonly name: string;
  /** Milliseconds since 1970; 0 if it is not created yet. */
  readonly created: number;
  /** The order of pods that are created within the same second. */
  readonly uid: string;
  /** Whether it runs on a node that would stay: new nodes do not take it. */
  readonly isRunning?: boolean;
}

/** By driver, in no order. */
interface NodeVolumes {
  /** How many volumes the node may have. A driver without a limit is left out. */
  readonly limits: ReadonlyMap<string, number>;
  /** The claims of its pods. */
  readonly attached: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A node that is there, or a NodeClaim in flight. */
export interface SolverNode {
  readonly name: string;
  readonly host: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly initialized: boolean;
  /** Whether it is so new that `consolidateAfter` of its pool is not over: then no pod moves to it from another node. */
  readonly isSettling?: boolean;
  /** What its pods and its DaemonSets leave. */
  readonly left: Amounts;
  readonly volumes: NodeVolumes;
  readonly ports: readonly { readonly pod: string; readonly port: PodShape["ports"][number] }[];
}

export interface SolverWorld {
  readonly filter: TypeFilter;
  /** In the order in which Karpenter tries them. */
  readonly pools: readonly SolverPool[];
  /** The same, and those that no instance type is left for: their labels are domains, too. */
  readonly domainPools: readonly DomainPool[];
  readonly pods: readonly SolverPod[];
  readonly nodes: readonly SolverNode[];
  /** Every node of the cluster, and the pods on them, for topology. */
  readonly around: { readonly nodes: readonly LabelledNode[]; readonly pods: readonly BoundPod[] };
  /** For minValues, whether only values count that the requirements allow, as since 1.15. */
  readonly countsOnlyAllowed: boolean;
  /** Whether pods wait for capacity reservations that are full, as since 1.15. */
  readonly waitsForFullReservations: boolean;
  /**
   * For disruption: a claim that gets no reservation is launched without one, where a new node of a pending pod waits
   * for the next round.
   */
  readonly fallsBack?: boolean;
  /** A reservation that has one instance more than it says, since a node of it goes first. */
  readonly credited?: string | undefined;
  /** MIN_VALUES_POLICY BestEffort. */
  readonly relaxesMinValues: boolean;
  /** Which of equally good domains is taken, where Karpenter takes any: by name if omitted. */
  readonly choose?: TieChoice;
}

/** Why a pool takes no pod. */
export type Refusal =
  | { readonly why: "taints" | "no-room" | "types" | "host-port" | "limits" | "node-limit" | "min-values" }
  /** Other pools are not tried, and the pod keeps its preferences: it waits for the next round. */
  | { readonly why: "reserved" | "reservations-full" }
  | { readonly why: "requirements"; readonly sentence: () => string }
  /** Its NodeClaim would be made, and no node started of it. */
  | { readonly why: "launch"; readonly sentence: string }
  /** Topology asks for a domain in which no instance type is left. */
  | { readonly why: "domain"; readonly allowed: Requirements; readonly ties: readonly Tie[] }
  | { readonly why: "topology"; readonly group: TopologyGroup };

export interface PlannedClaim {
  readonly pool: SolverPool;
  readonly pods: readonly SolverPod[];
  readonly requirements: Requirements;
  /** Before the cut to the cheapest. */
  readonly types: TypeMask;
  /** Of its pods and, at least, its DaemonSets. */
  readonly requests: Amounts;
  readonly ties: readonly Tie[];
}

export interface Solved {
  /** In the order in which they were made. */
  readonly claims: readonly PlannedClaim[];
  readonly existing: ReadonlyMap<string, readonly SolverPod[]>;
  readonly unplaced: readonly Unplaced[];
  /** Whether Karpenter takes any of several domains somewhere, or lists pods in any order where the first decides. */
  readonly chance: { readonly hasTies: boolean; readonly isOfFirst: boolean };
  /** How often the topology of a pod on a node was looked at: what solving it took. */
  readonly looked: number;
}

export interface Unplaced {
  readonly pod: SolverPod;
  /** Of the last attempt, the reason of each pool in order, or that of the pool that was picked. */
  readonly refusals: readonly Refusal[];
  /** The pool of its NodeClaim, of which no node starts. */
  readonly picked?: SolverPool;
}
