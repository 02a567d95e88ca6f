/** Nodes of a cluster that neither drift nor expiry ever ends, and what holds them. */
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { counted, someOf } from "../../krm/values/counted.ts";
import { podSpecPath } from "../../model/objects/pod.ts";
import type { Blocker, BlockerCode } from "../disrupt/blocker.ts";
import { candidateBlockers } from "../disrupt/blockers.ts";
import { clusterWorld } from "../disrupt/cluster-world.ts";
import type { NodeState } from "../disrupt/node-state.ts";
import { staticBlockers } from "../disrupt/static-blockers.ts";
import type { DisruptionWorld } from "../disrupt/world.ts";
import type { ExplainedCluster } from "../explain/explain.ts";
import { allowsNoneEver, isEvicted } from "../nodes/held-pod.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import { ownerOf } from "../pods/read-pods.ts";

/** What runs in a cluster. */
export interface RunningObjects {
  /** Nodes, NodeClaims, pods and PodDisruptionBudgets; others are ignored. */
  readonly objects: readonly Resource[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What holds nodes without an end. */
interface Hold {
  readonly code: BlockerCode;
  /** The object that holds them: `PodDisruptionBudget shop/db`. */
  readonly holder: string;
  /** Why it does not end. */
  readonly why: string;
  readonly place: Resource;
  readonly path: FieldPath;
  readonly change: string;
  /** Whether a node that is being deleted waits for it too. */
  readonly isDrained: boolean;
}

/** A node, and one of the things that each hold it alone. */
interface Held extends Hold {
  readonly node: NodeState;
}

/**
 * One finding for each thing that holds nodes, with their number. A node stays if drift passes over it, and if it does
 * not expire or its drain never ends (docs/upstream/karpenter.md#how-long-nodes-stay). What ends by itself does not
 * count: durations, pods that run to an end, windows of budgets.
 *
 * @param manifests the input, in which a workload or budget may have a line
 */
export function nodesThatStay(
  cluster: ExplainedCluster,
  { objects, at }: RunningObjects,
  manifests: readonly Resource[],
): Finding[] {
  const world = clusterWorld(objects, cluster, at);
  const found = { running: byId(objects), written: byId(manifests) };
  const wrappers = new Map(cluster.pools.map(({ name, wrapper }) => [name, wrapper]));
  const all = world.nodes.flatMap((node): Held[] => {
    const wrapper = wrappers.get(node.nodePool ?? "");
    if (wrapper === undefined || !node.isManaged) return [];
    const neverExpires = candidateBlockers(node, "Expired", world).some(({ code }) => code === "never-expires");
    return holdsOf(node, wrapper, world, found)
      .filter(({ isDrained }) => isDrained || neverExpires)
      .map((hold) => ({ ...hold, node }));
  });
  return [...Map.groupBy(all, ({ code, holder }) => `${code} ${holder}`).values()].map(findingOn);
}

function findingOn(held: readonly Held[]): Finding {
  const { holder, why, place, path, change, isDrained } = held[0]!;
  const nodes = [...new Set(held.map(({ node }) => node))].toSorted((a, b) => (a.life.name < b.life.name ? -1 : 1));
  const pools = [...new Set(nodes.map(({ nodePool }) => nodePool!))].toSorted();
  const names = someOf(
    nodes.map(({ life }) => life.name),
    3,
  );
  const ofPools = `NodePool${pools.length === 1 ? "" : "s"} ${someOf(pools, 3)}`;
  const whole = `${counted(nodes.length, "node")}${ofPools === holder ? "" : ` of ${ofPools}`}`;
  const end = isDrained ? NO_GRACE : NO_EXPIRY;
  const message = `${holder} keeps ${whole} for good (${names}): ${why}; ${end}`;
  const hint = isDrained ? `${change}, or set terminationGracePeriod in the pool, which counts for new nodes` : change;
  return findingAt("node-never-goes", place, path, { message, hint });
}

const NO_GRACE = "no terminationGracePeriod ends the drain of the nodes";
const NO_EXPIRY = "expireAfter of the nodes is Never";

/** Objects by kind, namespace and name: those that run, and those of the manifests, which users change. */
interface Found {
  readonly running: ReadonlyMap<string, Resource>;
  readonly written: ReadonlyMap<string, Resource>;
}

function byId(objects: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(objects.map((one) => [idOf(one.kind, one.namespace ?? "default", one.name), one]));
}

function idOf(kind: string, namespace: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}

function holdsOf(node: NodeState, wrapper: Resource, world: DisruptionWorld, found: Found): Hold[] {
  const pool = world.pools.get(node.nodePool!)!;
  const full = pool.limit !== undefined && pool.limit <= (pool.replicas ?? 0) ? staticBlockers(pool, DRIFT, world) : [];
  const blockers = [...candidateBlockers(node, "Drifted", world), ...full];
  return blockers.flatMap((blocker): Hold[] => {
    switch (blocker.code) {
      case "pod-do-not-disrupt":
      case "pdb-blocks":
      case "several-pdbs":
        return holdsOfPod(blocker, found);
      case "static-at-limit":
        return [ofPool(blocker, wrapper, ["spec", "limits", "nodes"], LIMIT)];
      case "node-do-not-disrupt":
        return [annotated(blocker, wrapper, node, found)];
      default:
        return [];
    }
  });
}

const DRIFT = "TerminateFirstDrift";
const LIMIT = "limits.nodes leaves no room for a replacement beside its replicas";
const ANNOTATION: FieldPath = ["metadata", "annotations", DO_NOT_DISRUPT];

function ofPool({ code, change = "" }: Blocker, wrapper: Resource, path: FieldPath, why: string): Hold {
  return { code, holder: describeResource(wrapper), why, place: wrapper, path, change, isDrained: false };
}

/** The template of the pool may have the annotation, which then is on each new node. */
function annotated(blocker: Blocker, wrapper: Resource, { life }: NodeState, found: Found): Hold {
  const inTemplate: FieldPath = ["spec", "template", ...ANNOTATION];
  const why = `${DO_NOT_DISRUPT} on the nodes stops drift`;
  if (textAt(wrapper.value, inTemplate) === "true") {
    const change = "remove the annotation from the template, and from the nodes";
    return { ...ofPool(blocker, wrapper, inTemplate, why), change };
  }
  const place = found.running.get(idOf("Node", "default", life.name));
  const change = "remove the annotation from the nodes";
  return { ...ofPool(blocker, place ?? wrapper, place === undefined ? [] : ANNOTATION, why), change };
}

function holdsOfPod({ code, resource, pod: name = "", until }: Blocker, found: Found): Hold[] {
  const pod = found.running.get(`Pod ${name}`);
  if (pod === undefined || until !== undefined || endsByItself(pod)) return [];
  const isDrained = isEvicted(pod.value);
  if (code === "pod-do-not-disrupt") {
    // Of a duration without a start nothing is known.
    if (textAt(pod.value, ANNOTATION) !== "true") return [];
    const owner = ownerOf(pod);
    const namespace = pod.namespace ?? "default";
    const workload = found.written.get(idOf(owner.kind, namespace, owner.name));
    const template = workload && podSpecPath(workload)?.slice(0, -1);
    const [place, path] = workload && template ? [workload, [...template, ...ANNOTATION]] : [pod, ANNOTATION];
    const holder = `${owner.kind} ${namespace}/${owner.name}`;
    const why =
      owner.kind === "Pod"
        ? `it has ${DO_NOT_DISRUPT} and runs without an end`
        : `its pods have ${DO_NOT_DISRUPT} and run without an end`;
    const change = "remove the annotation, or write a duration such as 4h in place of true";
    return [{ code, holder, why, place, path, change, isDrained }];
  }
  const budget = found.running.get(resource);
  if (budget === undefined) return [];
  const place = found.written.get(resource) ?? budget;
  if (code === "several-pdbs") {
    const why = "another one selects pods of it too, and Kubernetes evicts no pod that two select";
    const change = "let only one of them select each pod";
    return [{ code, holder: resource, why, place, path: ["spec", "selector"], change, isDrained }];
  }
  const [field, words] = whyNever(budget.value) ?? [];
  if (field === undefined) return [];
  const change = `write maxUnavailable: 1 in its place${field === "minAvailable" ? ", or run more replicas" : ""}`;
  return [{ code, holder: resource, why: words!, place, path: ["spec", field], change, isDrained }];
}

/** Containers of other pods start again. */
function endsByItself({ value }: Resource): boolean {
  return ["Never", "OnFailure"].includes(textAt(value, ["spec", "restartPolicy"]) ?? "");
}

/** The field with which a PodDisruptionBudget lets none of its pods go, as long as it has no more of them. */
function whyNever(budget: unknown): readonly [field: string, why: string] | undefined {
  const field = valueAt(budget, ["spec", "maxUnavailable"]) === undefined ? "minAvailable" : "maxUnavailable";
  const written = `${field}: ${String(valueAt(budget, ["spec", field]))}`;
  if (allowsNoneEver(budget)) return [field, `${written} allows no eviction`];
  const [seen, expected, desired] = ["observedGeneration", "expectedPods", "desiredHealthy"].map((name) =>
    valueAt(budget, ["status", name]),
  );
  // The status of an earlier spec says nothing.
  const isCurrent = seen === undefined || seen === valueAt(budget, ["metadata", "generation"]);
  const isFull = typeof expected === "number" && typeof desired === "number" && expected > 0 && desired >= expected;
  if (!isCurrent || !isFull) return undefined;
  return [field, `${written} allows no eviction as long as it selects ${counted(expected, "pod")}`];
}
