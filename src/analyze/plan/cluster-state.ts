/** The nodes of a dump as Karpenter's cluster state has them: labels, taints, and what is left. */
import { NODE_POOL } from "../../model/requirements/label-keys.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { hostPorts } from "../../karpenter/scheduling/daemon-overhead.ts";
import { requiredEntries, merged } from "../../karpenter/scheduling/pod-stages.ts";
import { isProvisionable } from "../../karpenter/scheduling/provisionable.ts";
import { type Amounts, sumOf } from "../../karpenter/scheduling/resources.ts";
import { type Taint, untolerated } from "../../karpenter/scheduling/taints.ts";
import { compatible, labelRequirements } from "../../karpenter/requirements/requirements.ts";
import type { LabelledNode } from "../../karpenter/solver/topology.ts";
import type { SolverNode } from "../../karpenter/solver/world.ts";
import type { Labels } from "../../karpenter/scheduling/label-selector.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { groupOf } from "../../krm/places/resource.ts";
import { isFields } from "../../krm/values/fields.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { isCurrentlyReschedulable } from "../disrupt/pod-blockers.ts";
import { conditionOf, hasEnded, heldPodOf, isOwnedBy, isReschedulable } from "../nodes/held-pod.ts";
import { namespaceOf } from "./expand-pods.ts";
import { isPodBudget, type NodeObject, type NodePair, pairNodes } from "../nodes/node-pairs.ts";

/** A node that stays, with the pods that are bound to it and have not ended. */
export interface StandingNode {
  readonly pair: NodePair;
  readonly solver: SolverNode;
  readonly labels: Labels;
  readonly labelled: LabelledNode | undefined;
  readonly capacity: Amounts;
  readonly pods: readonly PodDemand[];
  /** Pods that have ended there; one of a StatefulSet that is being deleted comes again. */
  readonly ended: readonly PodDemand[];
}

export interface ClusterState {
  /** Those of `nodes`, in their order. */
  readonly standing: readonly StandingNode[];
  /** Those that may take pods. */
  readonly nodes: readonly SolverNode[];
  readonly labelled: readonly LabelledNode[];
  /** By pool, the capacity of its nodes. */
  readonly used: ReadonlyMap<string, Amounts>;
  /** Pods that have a node and neither ended nor leave. */
  readonly bound: readonly PodDemand[];
  /** Pods that wait for a node, and those that Karpenter moves off nodes that go. */
  readonly waiting: readonly PodDemand[];
  /** Whether it is not known how many volumes some node may have. */
  readonly volumesUnknown: boolean;
  readonly unlaunched: readonly string[];
}

interface StateNode {
  readonly pair: NodePair;
  readonly name: string;
  readonly node: NodeObject | undefined;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  readonly initialized: boolean;
  readonly allocatable: Amounts;
  readonly capacity: Amounts;
  readonly isGoing: boolean;
}

/**
 * `StateNode` (pkg/controllers/state/statenode.go) and `NewExistingNode` (existingnode.go).
 *
 * @param pods every pod of the dump
 * @param at milliseconds since 1970: a pod may block its node for some time only
 */
export function clusterState(
  objects: readonly NodeObject[],
  pods: readonly PodDemand[],
  daemonSets: readonly PodDemand[],
  at: number,
): ClusterState {
  const pairs = pairNodes(objects);
  const states = pairs.flatMap((pair) => stateOf(pair) ?? []);
  const budgets = objects.filter(isPodBudget);
  const nodeOf = ({ resource }: PodDemand): string => textAt(resource.value, ["spec", "nodeName"]) ?? "";
  const going = new Set(states.filter(({ isGoing }) => isGoing).flatMap(({ node }) => node?.name ?? []));
  const moved = pods.filter(
    (pod) => going.has(nodeOf(pod)) && isCurrentlyReschedulable(heldPodOf(pod.resource.value, budgets), at),
  );
  const placed = new Set<PodDemand>(moved);
  const bound = pods.filter((pod) => nodeOf(pod) !== "" && !hasEnded(pod.resource.value) && !placed.has(pod));
  const onNode = Map.groupBy(bound, nodeOf);
  const endedOn = Map.groupBy(
    pods.filter((pod) => nodeOf(pod) !== "" && hasEnded(pod.resource.value)),
    nodeOf,
  );
  const active = states.filter(({ isGoing }) => !isGoing);
  const limitsOf = volumeLimits(objects);
  const standing = active
    .map((state): StandingNode => {
      const { name = "" } = state.node ?? {};
      const own = onNode.get(name) ?? [];
      const { pair, labels, capacity } = state;
      const solver = solverNode(state, own, daemonSets, limitsOf.get(name));
      return {
        pair,
        solver,
        labels,
        labelled: labelledNode(state),
        capacity,
        pods: own,
        ended: endedOn.get(name) ?? [],
      };
    })
    .toSorted(
      ({ solver: a }, { solver: b }) => Number(b.initialized) - Number(a.initialized) || (a.name < b.name ? -1 : 1),
    );
  return {
    standing,
    nodes: standing.map(({ solver }) => solver),
    labelled: states.flatMap((state) => labelledNode(state) ?? []),
    used: new Map(
      [...Map.groupBy(active, ({ labels }) => labels[NODE_POOL] ?? "")].map(([pool, own]) => [
        pool,
        sumOf(own.map(({ capacity }) => new Map([...capacity, ["nodes", ONE] as const]))),
      ]),
    ),
    bound,
    waiting: [...pods.filter(({ resource }) => isProvisionable(resource.value)), ...moved],
    volumesUnknown: active.some(({ node }) => node !== undefined && !limitsOf.has(node.name)),
    unlaunched: pairs.flatMap((pair) => (stateOf(pair) === undefined ? [pair.claim!.name] : [])),
  };
}

/** All pods that Karpenter would make nodes for, as if the cluster had none. */
export function withoutNodes(pods: readonly PodDemand[]): ClusterState {
  const waiting = pods.filter(
    ({ resource }) =>
      (isReschedulable(resource.value) && (textAt(resource.value, ["spec", "nodeName"]) ?? "") !== "") ||
      isProvisionable(resource.value),
  );
  return {
    standing: [],
    nodes: [],
    labelled: [],
    used: new Map(),
    bound: [],
    waiting,
    volumesUnknown: false,
    unlaunched: [],
  };
}
const ONE = 10n ** 9n;

function labelledNode({ node, isGoing }: StateNode): LabelledNode | undefined {
  if (node === undefined) return undefined;
  const labels = textsAt(node.value, ["metadata", "labels"]);
  return { name: node.name, labels, taints: taintsAt(node.value, ["spec", "taints"]), isActive: !isGoing };
}

/** Undefined for a NodeClaim without an instance. */
function stateOf(pair: NodePair): StateNode | undefined {
  const { claim, node } = pair;
  const isManaged = claim !== undefined;
  if (node === undefined && textAt(claim?.value, ["status", "providerID"]) === undefined) return undefined;
  const ofNode = textsAt(node?.value, ["metadata", "labels"]);
  const registered = !isManaged || ofNode["karpenter.sh/registered"] === "true";
  const initialized = !isManaged || ofNode["karpenter.sh/initialized"] === "true";
  const source = node === undefined || !registered ? claim! : node;
  const taints = taintsAt(source.value, ["spec", "taints"]);
  const startup = taintsAt(claim?.value, ["spec", "startupTaints"]);
  const isRebooting = conditionOf(claim?.value, "Rebooting") === "True";
  const isTransient = (taint: Taint): boolean =>
    isEphemeral(taint) || [...startup, REBOOTING].some((one) => isSame(one, taint));
  return {
    pair,
    name: source.name,
    node,
    labels: textsAt(source.value, ["metadata", "labels"]),
    taints: (!initialized || isRebooting) && isManaged ? taints.filter((taint) => !isTransient(taint)) : taints,
    initialized,
    allocatable: amountsOf("allocatable", claim, node, initialized),
    capacity: amountsOf("capacity", claim, node, initialized),
    isGoing: isGoing(pair),
  };
}

const REBOOTING: Taint = { key: "karpenter.sh/rebooting", effect: "NoSchedule" };

/** `KnownEphemeralTaints` (pkg/scheduling/taints.go). */
const EPHEMERAL: readonly Taint[] = [
  { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
  { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", effect: "NoSchedule" },
  { key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" },
  { key: "karpenter.sh/unregistered", effect: "NoExecute" },
];

function isEphemeral(taint: Taint): boolean {
  return taint.key.startsWith("readiness.k8s.io/") || EPHEMERAL.some((one) => isSame(one, taint));
}

/** `MatchTaint`: the value makes no difference. */
function isSame(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** `MarkedForDeletion`. What Karpenter remembers of nodes that it is about to remove shows in their taint. */
function isGoing({ claim, node }: NodePair): boolean {
  const isDeleted = (object: unknown): boolean => textAt(object, ["metadata", "deletionTimestamp"]) !== undefined;
  if (taintsAt(node?.value, ["spec", "taints"]).some(({ key }) => key === "karpenter.sh/disrupted")) return true;
  if (claim !== undefined) return isDeleted(claim.value) || conditionOf(claim.value, "InstanceTerminating") === "True";
  return isDeleted(node?.value);
}

/** Until a node is initialized, zeros of its status count as what its NodeClaim has. */
function amountsOf(
  field: "allocatable" | "capacity",
  claim: NodePair["claim"],
  node: NodePair["node"],
  initialized: boolean,
): Amounts {
  const own = amountsAt(node?.value, field);
  if (initialized || claim === undefined) return own;
  const ofClaim = [...amountsAt(claim.value, field)].filter(([name]) => (own.get(name) ?? 0n) === 0n);
  return new Map([...own, ...ofClaim]);
}

function amountsAt(object: unknown, field: string): Map<string, bigint> {
  const value = valueAt(object, ["status", field]);
  const entries = isFields(value) ? Object.entries(value) : [];
  return new Map(entries.map(([name, amount]) => [name, parseQuantity(String(amount))?.nano ?? 0n]));
}

function taintsAt(object: unknown, path: readonly string[]): Taint[] {
  const list = valueAt(object, path);
  return (Array.isArray(list) ? list : []).flatMap((one: unknown): Taint[] => {
    const [key, effect] = [textAt(one, ["key"]), textAt(one, ["effect"])];
    return key === undefined || effect === undefined ? [] : [{ key, effect, value: textAt(one, ["value"]) }];
  });
}

function solverNode(
  { name, labels, taints, initialized, allocatable }: StateNode,
  pods: readonly PodDemand[],
  daemonSets: readonly PodDemand[],
  limits: SolverNode["volumes"]["limits"] = new Map(),
): SolverNode {
  const requested = sumOf(pods.map(({ requests }) => requests));
  const running = sumOf(
    pods.filter(({ resource }) => isOwnedBy(resource.value, "apps/v1", "DaemonSet")).map(({ requests }) => requests),
  );
  const requirements = labelRequirements(labels);
  const own = daemonSets.filter((daemonSet) => {
    const [entries = []] = requiredEntries(daemonSet);
    return (
      untolerated(taints, daemonSet.spec.tolerations ?? []).length === 0 &&
      compatible(requirements, merged(entries), NO_KEYS) === undefined
    );
  });
  const expected = sumOf(own.map(({ requests }) => requests));
  const left = new Map(
    [...allocatable].map(([resource, amount]) => {
      const missing = (expected.get(resource) ?? 0n) - (running.get(resource) ?? 0n);
      return [resource, amount - (requested.get(resource) ?? 0n) - (missing > 0n ? missing : 0n)];
    }),
  );
  const ports = pods.flatMap((pod) => hostPorts(pod.spec).map((port) => ({ pod: pod.resource.name, port })));
  const volumes = { limits, attached: attachedTo(pods) };
  return { name, host: labels["kubernetes.io/hostname"] || name, labels, taints, initialized, left, volumes, ports };
}

function attachedTo(pods: readonly PodDemand[]): Map<string, Set<string>> {
  const attached = new Map<string, Set<string>>();
  for (const { resource, volumes } of pods)
    for (const { driver, claim } of volumes.attached) {
      const claims = attached.get(driver) ?? new Set();
      attached.set(driver, claims.add(`${namespaceOf(resource)}/${claim}`));
    }
  return attached;
}

/** By node, `populateVolumeLimits` (pkg/controllers/state/cluster.go). A driver without a limit is left out. */
function volumeLimits(objects: readonly NodeObject[]): Map<string, ReadonlyMap<string, number>> {
  const all = objects.filter(({ apiVersion, kind }) => kind === "CSINode" && groupOf(apiVersion) === "storage.k8s.io");
  return new Map(
    all.map(({ name, value }) => {
      const drivers = valueAt(value, ["spec", "drivers"]);
      const limits = (Array.isArray(drivers) ? drivers : []).flatMap((one: unknown): [string, number][] => {
        const [driver, count] = [textAt(one, ["name"]), valueAt(one, ["allocatable", "count"])];
        return driver === undefined || typeof count !== "number" ? [] : [[driver, count]];
      });
      return [name, new Map(limits)];
    }),
  );
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Whether a pod counts for topology. */
export function isLeaving({ resource }: PodDemand): boolean {
  return textAt(resource.value, ["metadata", "deletionTimestamp"]) !== undefined;
}
