/** The pools, pods and nodes of a cluster as Karpenter's scheduler starts from them. */
import { PREFER_NO_SCHEDULE } from "../../karpenter/scheduling/taints.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { nanoOf } from "../../karpenter/scheduling/limits.ts";
import { poolOrder } from "../../karpenter/scheduling/pool-order.ts";
import { selects } from "../../karpenter/scheduling/label-selector.ts";
import { podShape, type Relaxing } from "../../karpenter/solver/pod-shape.ts";
import type { OfPod } from "../../karpenter/solver/topology-term.ts";
import type { BoundPod } from "../../karpenter/solver/topology.ts";
import type { SolverPod, SolverPool, SolverWorld } from "../../karpenter/solver/world.ts";
import { isNone } from "../../karpenter/catalogue/type-mask.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { reportedReady } from "../explain/describe-clusters.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { comparableLimits, usedOf } from "../explain/pool-limits.ts";
import { type PodPool, podPool } from "../pods/pool.ts";
import { hasClaims, refusalOf } from "../pods/refusal.ts";
import { bufferPods } from "./capacity-buffers.ts";
import { type ClusterState, clusterState, isLeaving, withoutNodes } from "./cluster-state.ts";
import { spreadDefaults } from "./default-spread.ts";
import { expandPods, labelsOfPods, namespaceOf, type Seen } from "./expand-pods.ts";
import { withoutZones } from "./without-zones.ts";

interface IgnoredPod {
  readonly pod: SolverPod;
  readonly why: string;
}

export interface PlanWorld {
  readonly world: SolverWorld;
  /** Undefined without a dump. */
  readonly state: ClusterState | undefined;
  /** Every pool, in the order in which Karpenter tries them, even if it gets no nodes. */
  readonly targets: readonly PodPool[];
  readonly relaxing: Relaxing;
  /** The pods that Karpenter passes over. */
  readonly ignored: readonly IgnoredPod[];
  /** What of the cluster could not be read. */
  readonly unread: readonly string[];
  /** CapacityBuffers that are not planned as Karpenter does, and why. */
  readonly buffers: readonly string[];
  /** The names of those that may get nodes for pods: ready, and not static. */
  readonly taking: ReadonlySet<string>;
  /** Other pods as the scheduler has them. */
  readonly podsOf: (demands: readonly PodDemand[]) => SolverPod[];
  readonly boundOf: (demand: PodDemand) => BoundPod;
  /** Those whose pods a node that is there will run. */
  readonly daemonSets: readonly PodDemand[];
}

/** What a plan starts from. */
export interface PlanInput {
  /** Pods, workloads and DaemonSets. */
  readonly demands: readonly PodDemand[];
  /** Undefined without a dump of the cluster. */
  readonly dump?: PlanDump | undefined;
  /** Other objects, among which CapacityBuffers, their pod templates and the Services of pods may be. */
  readonly others?: readonly Resource[] | undefined;
  /** Whether topology constraints over zones do not count. */
  readonly ignoresZones?: boolean;
  /** Whether the answer says what the pods that run would cost if they were packed anew, and which constraints cost most. */
  readonly withSavings?: boolean | undefined;
}

export interface PlanDump {
  readonly objects: readonly Resource[];
  /** Every pod of it. */
  readonly pods: readonly PodDemand[];
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether the plan is for its pods without its nodes. */
  readonly withoutNodes?: boolean;
  /** What of the cluster could not be read. */
  readonly unread?: readonly string[];
}

export function planWorld(
  { demands: given, dump, others = [], ignoresZones }: PlanInput,
  cluster: ExplainedCluster,
): PlanWorld {
  const { knownTypes, pools, explanations } = cluster;
  const { filter, profile, karpenter } = knownTypes;
  const buffers = bufferPods([...others, ...(dump?.objects ?? [])], karpenter);
  const demands = given.filter(({ resource }) => !buffers.templates.has(resource));
  const daemonSets = demands.filter((pod) => isDaemonSet(pod.resource) && !hasClaims(pod));
  const explanationOf = new Map(explanations.map((explanation) => [explanation.pool, explanation]));
  const targets = poolOrder(pools).map((pool) => podPool(pool, explanationOf.get(pool)!, daemonSets, knownTypes));
  const taking = targets.filter(takesPods);
  const ofNodes = taking.some(({ types }) => !isNone(types)) ? daemonSets.map(relenting) : daemonSets;
  const state =
    dump &&
    (dump.withoutNodes === true ? withoutNodes(dump.pods) : clusterState(dump.objects, dump.pods, ofNodes, dump.at));
  const made = taking.map((target) => solverPool(target, explanationOf.get(target.pool)!, cluster, state));
  const relaxing = {
    taintsRelent: made.some(({ taints }) => taints.some(({ effect }) => effect === "PreferNoSchedule")),
    ignoresPreferences: karpenter?.preferencePolicy === "Ignore",
  };
  const asked = [
    ...demands.filter(({ resource }) => !isDaemonSet(resource)),
    ...(state?.waiting ?? []),
    ...buffers.demands,
  ];
  const namespacesOf = namespaces(dump?.objects ?? []);
  const withDefaults = spreadDefaults(karpenter?.defaultSpread, [...others, ...(dump?.objects ?? [])]);
  const seenOf = ignoresZones === true ? (pod: PodDemand) => zonesIgnored(withDefaults(pod)) : withDefaults;
  const expanded = expandPods(asked, seenOf, relaxing, namespacesOf);
  const refusals = new Map(
    asked.map((pod) => [
      pod,
      pod.ofBuffer === true && !hasClaims(pod) ? undefined : refusalOf(pod, filter.catalogue.wellKnown),
    ]),
  );
  const ignored = expanded.flatMap((pod): IgnoredPod[] => {
    const why = refusals.get(pod.demand);
    return why === undefined ? [] : [{ pod, why }];
  });
  return {
    state,
    targets,
    relaxing,
    ignored,
    unread: dump?.unread ?? [],
    buffers: buffers.unread,
    taking: new Set(taking.map(({ pool }) => pool.name)),
    podsOf: (some) => expandPods(some, seenOf, relaxing, namespacesOf),
    boundOf: (pod) => boundPod(pod, namespacesOf),
    daemonSets: ofNodes,
    world: {
      filter,
      pools: made.filter(({ types }) => !isNone(types)),
      domainPools: made,
      pods: expanded.filter((pod) => refusals.get(pod.demand) === undefined),
      nodes: state?.nodes ?? [],
      around: {
        nodes: state?.labelled ?? [],
        pods: (state?.bound ?? []).map((pod) => boundPod(pod, namespacesOf)),
      },
      countsOnlyAllowed: profile === "karpenter-1.15",
      waitsForFullReservations: profile === "karpenter-1.15",
      relaxesMinValues: karpenter?.minValuesPolicy === "BestEffort",
    },
  };
}

function zonesIgnored({ pod, unknown }: Seen): Seen {
  const left = withoutZones(pod);
  return left === pod ? { pod, unknown } : { pod: left, unknown: [...unknown, ZONES_UNKNOWN] };
}

const ZONES_UNKNOWN = "zones: its topology constraints ask for them, and nothing says which there are";

/** `NewScheduler` (provisioner.go): static pools, those that are not ready and those that are being deleted take none. */
function takesPods({ pool }: PodPool): boolean {
  const { wrapper, replicas } = pool;
  const isLive = wrapper.kind === "NodePool";
  const ready = isLive ? reportedReady(wrapper) : undefined;
  const isReady = ready === undefined || ready.status === "True";
  return replicas === undefined && isReady && !(isLive && isBeingDeleted(wrapper.value));
}

/** `isDaemonPodCompatible` (scheduler.go) changes the pods of DaemonSets for good, but only if a pool has types. */
function relenting(daemonSet: PodDemand): PodDemand {
  const { tolerations = [] } = daemonSet.spec;
  return { ...daemonSet, spec: { ...daemonSet.spec, tolerations: [...tolerations, PREFER_NO_SCHEDULE] } };
}

/** Undefined if the dump has no Namespaces. */
function namespaces(objects: readonly Resource[]): OfPod["namespacesOf"] {
  const all = objects.filter(({ kind, apiVersion }) => kind === "Namespace" && apiVersion === "v1");
  if (all.length === 0) return () => undefined;
  const labelsOf = ({ name, value }: Resource) => ({
    "kubernetes.io/metadata.name": name,
    ...textsAt(value, ["metadata", "labels"]),
  });
  return (selector) => all.filter((one) => selects(selector, labelsOf(one))).map(({ name }) => name);
}

function boundPod(pod: PodDemand, namespacesOf: OfPod["namespacesOf"]): BoundPod {
  const { resource } = pod;
  const of = { namespace: namespaceOf(resource), labels: labelsOfPods(pod) };
  const { avoided } = podShape(pod, of, { taintsRelent: false, ignoresPreferences: true }, namespacesOf);
  return {
    ...of,
    node: textAt(resource.value, ["spec", "nodeName"]) ?? "",
    counts: !isLeaving(pod),
    avoided,
    tolerations: pod.spec.tolerations ?? [],
  };
}

/** The nodes of the cluster count first; without them, the status of the pool. */
function usage(pool: PodPool["pool"], state: ClusterState | undefined): (resource: string) => bigint {
  const own = state?.used.get(pool.name);
  if (state !== undefined) return (resource) => own?.get(resource) ?? 0n;
  const used = usedOf(pool) ?? {};
  return (resource) => nanoOf(used[resource] ?? 0);
}

function solverPool(
  target: PodPool,
  explanation: ExplainedCluster["explanations"][number],
  { knownTypes }: ExplainedCluster,
  state: ClusterState | undefined,
): SolverPool {
  const { pool, requirements, ofClass, types, nodes, daemons } = target;
  const used = usage(pool, state);
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
    left: new Map(limits.map(([resource, limit]) => [resource, nanoOf(limit) - used(resource)])),
    prices: knownTypes.prices,
  };
}
