/** Tries one pod on a new node of one pool: the possible instance types, or the obstacle. */
import { addRequirements, type Requirements } from "../../karpenter/requirements/requirements.ts";
import { formatTaint, type Taint, untolerated } from "../../karpenter/scheduling/taints.ts";
import { both, countTypes, either, isNone, type TypeMask, without } from "../../karpenter/catalogue/type-mask.ts";
import { isBeingDeleted } from "../../model/objects/being-deleted.ts";
import { nearestWord } from "../../krm/values/nearest-word.ts";
import { counted } from "../../krm/values/counted.ts";
import { locationOf } from "../../krm/places/location.ts";
import { type DaemonGroup, hostPorts, samePort } from "../../karpenter/scheduling/daemon-overhead.ts";
import { labelConflict, topologyConflict, typeConflict } from "./labels.ts";
import { and } from "../explain/amounts.ts";
import { limitsText } from "../explain/pool-limits.ts";
import type { PodPool } from "./pool.ts";
import { roomSentence, typesWithRoom } from "./resources.ts";
import type { PodStage } from "../../karpenter/scheduling/pod-stages.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { readyWords, reportedReady } from "../explain/describe-clusters.ts";
import { typesOf } from "../../karpenter/catalogue/type-filter.ts";
import { type InstanceTypes, missedByCheapest, shortfallOf } from "../explain/remaining-types.ts";
import { MOST_TYPES } from "../../karpenter/catalogue/price-index.ts";

/** In the order of the checks: with a later obstacle the pod passed more checks. */
export const OBSTACLES = [
  "static",
  "being-deleted",
  "not-ready",
  "no-nodes",
  "limits",
  "taint",
  "requirements",
  "host-port",
  "instance-types",
  "resources",
  "min-values",
] as const;

export type Obstacle = (typeof OBSTACLES)[number];

export type PodAttempt =
  | {
      readonly types: TypeMask;
      readonly requirements: Requirements;
    }
  /** The sentence is computed on demand, because it is slow and most are never printed. */
  | { readonly obstacle: Obstacle; readonly sentence: () => string };

/** The same checks as in Karpenter's nodeclaim.go, CanAdd. */
export function tryPod(pod: PodDemand, stage: PodStage, target: PodPool, knownTypes: InstanceTypes): PodAttempt {
  const { replicas } = target.pool;
  if (replicas !== undefined)
    return stop("static", () => `it is static: it keeps ${counted(replicas, "node")}, and starts none for pods`);
  const { wrapper } = target.pool;
  if (wrapper.kind === "NodePool" && isBeingDeleted(wrapper.value))
    return stop("being-deleted", () => "it is being deleted, and starts no node for pods");
  const ready = wrapper.kind === "NodePool" ? reportedReady(wrapper) : undefined;
  if (ready !== undefined && ready.status !== "True")
    return stop("not-ready", () => `its cluster says that it is not ready${suffix(readyWords(ready))}`);
  if (isNone(target.types)) return stop("no-nodes", () => "the pool gets no nodes at all");
  if (isNone(target.withinLimits)) return stop("limits", () => `its limits allow no node: ${limitsText(target.pool)}`);
  const taints = untolerated(target.pool.spec.template.spec.taints ?? [], stage.tolerations);
  if (taints.length > 0) return stop("taint", () => taintSentence(pod, taints, target));
  const conflict = labelConflict(pod, stage, target, knownTypes);
  if (conflict !== undefined) return stop("requirements", conflict);
  const unset = topologyConflict(pod, target, knownTypes.filter.catalogue.wellKnown);
  if (unset !== undefined) return stop("requirements", unset);
  const groups = target.daemons.filter((group) => takenPort(pod, group) === undefined);
  if (groups.length === 0) return stop("host-port", () => portSentence(pod, target.daemons));
  const requirements = addRequirements(target.requirements, stage.requirements);
  const compatible = both(target.withinLimits, typesOf(requirements, target.ofClass, knownTypes.filter));
  if (isNone(compatible)) return stop("instance-types", () => typeSentence(pod, stage, target, knownTypes));
  const none = without(compatible, compatible);
  const eligible = groups.reduce((found, { types }) => either(found, both(compatible, types)), none);
  if (isNone(eligible)) return stop("host-port", () => portSentence(pod, target.daemons));
  const types = typesWithRoom(pod.requests, eligible, groups, target.nodes);
  if (isNone(types)) return stop("resources", () => roomSentence(pod.requests, eligible, groups, target));
  const shortfall = shortfallOf(types, requirements, target.ofClass, knownTypes);
  if (shortfall.size > 0) return stop("min-values", () => minValuesSentence(shortfall, requirements, target));
  const missed = missedByCheapest(types, requirements, target.ofClass, knownTypes);
  if (missed?.isCertain === true) {
    const among = ` among the ${String(MOST_TYPES)} cheapest of ${String(countTypes(types))} instance types`;
    return stop("min-values", () => `${minValuesSentence(missed.shortfall, requirements, target)}${among}`);
  }
  return { types, requirements };
}

function suffix(words: string): string {
  return words === "" ? "" : `: ${words}`;
}

function stop(obstacle: Obstacle, sentence: () => string): PodAttempt {
  return { obstacle, sentence };
}

function taintSentence({ spec, resource, path }: PodDemand, taints: readonly Taint[], { pool }: PodPool): string {
  const own = pool.spec.template.spec.taints ?? [];
  const texts = taints.map((taint) => {
    const path = ["spec", "template", "spec", "taints", own.findIndex((one) => one === taint)];
    return `${formatTaint(taint)} (${locationOf(pool.wrapper, path)})`;
  });
  const tolerations = spec.tolerations ?? [];
  const near = tolerations.findIndex(({ key = "" }) =>
    taints.some((taint) => key !== "" && nearestWord(key, [taint.key]) !== undefined),
  );
  const hint =
    near === -1
      ? ""
      : `; its toleration at ${locationOf(resource, [...path, "tolerations", near])} is for ${tolerationText(tolerations[near]!)}`;
  return `did not tolerate taint ${and(texts)}${hint}`;
}

function tolerationText({ key = "", operator = "", value = "", effect = "" }: PodStage["tolerations"][number]): string {
  const sign = operator === "" || operator === "Equal" ? "=" : ` ${operator} `;
  const what = operator === "Exists" ? key : `${key}${sign}${value}`;
  return effect === "" ? what : `${what}:${effect}`;
}

/** If types match the pod and only the limits exclude them, the limits are reported. */
function typeSentence(pod: PodDemand, stage: PodStage, target: PodPool, knownTypes: InstanceTypes): string {
  const requirements = addRequirements(target.requirements, stage.requirements);
  if (isNone(typesOf(requirements, target.ofClass, knownTypes.filter)))
    return typeConflict(pod, stage, target, knownTypes);
  return `the instance types that it asks for exceed the limits of the pool: ${limitsText(target.pool)}`;
}

function takenPort({ spec }: PodDemand, { ports }: DaemonGroup): DaemonGroup["ports"][number] | undefined {
  const own = hostPorts(spec);
  return ports.find(({ port }) => own.some((one) => samePort(one, port)));
}

function portSentence(pod: PodDemand, groups: readonly DaemonGroup[]): string {
  const taken = groups.flatMap((group) => takenPort(pod, group) ?? [])[0]!;
  const { port, protocol } = taken.port;
  return `host port ${String(port)}/${protocol} is taken by DaemonSet ${taken.of.resource.name} on every node it could get`;
}

export function minValuesSentence(
  shortfall: ReadonlyMap<string, number>,
  requirements: Requirements,
  { demands }: PodPool,
): string {
  const texts = [...shortfall].map(([key, found]) => {
    const asking = demands.find(({ requirement }) => requirement.key === key && requirement.minValues !== undefined);
    const at = asking === undefined ? "" : ` (${locationOf(asking.place.resource, asking.place.path)})`;
    return `${String(found)} of at least ${String(requirements.get(key)?.minValues ?? 0)} values of ${key}${at}`;
  });
  return `minValues requirement is not met: with what the pod asks for there are ${and(texts)}`;
}
