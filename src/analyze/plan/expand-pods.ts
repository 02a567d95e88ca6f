/** The pods of workloads, each with its name: a Deployment of three replicas has three. */
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { hostPorts } from "../../karpenter/scheduling/daemon-overhead.ts";
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import type { Labels } from "../../karpenter/scheduling/label-selector.ts";
import type { OfPod } from "../../karpenter/solver/topology-term.ts";
import { type PodShape, podShape, type Relaxing } from "../../karpenter/solver/pod-shape.ts";
import type { SolverPod } from "../../karpenter/solver/world.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";

/** A pod as the scheduler sees it. */
export interface Seen {
  readonly pod: PodDemand;
  /** What decides on it and is not among the inputs. */
  readonly unknown: readonly string[];
}

/** How many pods a workload runs at once; undefined if the number cannot be read. */
export function replicasOf({ resource, replicas }: Pick<PodDemand, "resource" | "replicas">): number | undefined {
  const { apiVersion, kind, value } = resource;
  if (replicas !== undefined) return replicas;
  if (kind === "Pod" || kind === "PodTemplate") return 1;
  if (groupOf(apiVersion) === "batch") {
    const spec = valueAt(value, kind === "CronJob" ? ["spec", "jobTemplate", "spec"] : ["spec"]);
    const parallel = wholeNumber(valueAt(spec, ["parallelism"]) ?? 1);
    const completions = wholeNumber(valueAt(spec, ["completions"]) ?? parallel);
    return parallel === undefined || completions === undefined ? undefined : Math.min(parallel, completions);
  }
  return wholeNumber(valueAt(value, ["spec", "replicas"]) ?? 1);
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** More pods are refused: a plan names each of them. */
const MOST_PODS = 200_000;

/** Workloads whose number of pods cannot be read, or that are too many. */
export function replicaFindings(demands: readonly PodDemand[]): Finding[] {
  const findings: Finding[] = [];
  let total = 0;
  for (const demand of demands) {
    const { resource } = demand;
    if (isDaemonSet(resource)) continue;
    const count = replicasOf(demand);
    const isTooMany = count !== undefined && total + count > MOST_PODS;
    if (count !== undefined) total += count;
    if (count !== undefined && !isTooMany) continue;
    const message =
      count === undefined
        ? "the number of its pods is no whole number of 0 or more, so it is not planned"
        : `with it there are ${total} pods, and anp plans ${MOST_PODS} at most`;
    const hint = count === undefined ? "write a whole number" : "plan fewer workloads, or fewer replicas, at once";
    const path = groupOf(resource.apiVersion) === "batch" ? ["spec"] : ["spec", "replicas"];
    findings.push(findingAt("pod-invalid", resource, path, { message, hint }));
    if (isTooMany) break;
  }
  return findings;
}

/** The labels of the pods: those of a Deployment get one that only they have. */
export function labelsOfPods({ resource, path }: Pick<PodDemand, "resource" | "path">): Labels {
  const own = textsAt(resource.value, [...path.slice(0, -1), "metadata", "labels"]);
  const hash = hashLabelOf(resource);
  return hash === undefined ? own : { ...own, [hash]: `${namespaceOf(resource)}/${resource.name}` };
}

/** The label that the pods of one ReplicaSet share; undefined for what makes none. */
export function hashLabelOf({ apiVersion, kind }: Resource): string | undefined {
  switch (`${groupOf(apiVersion)}/${kind}`) {
    case "apps/Deployment":
    case "serving.knative.dev/Service":
      return "pod-template-hash";
    case "argoproj.io/Rollout":
      return "rollouts-pod-template-hash";
    default:
      return undefined;
  }
}

export function namespaceOf({ namespace }: Resource): string {
  return namespace ?? "default";
}

/** Karpenter's order of pods that are created at the same time is that of their UIDs; here, the order of the input. */
const DIGITS = 9;

/** Pods that stand for CapacityBuffers are made when Karpenter reads them. */
const LAST = Number.MAX_SAFE_INTEGER;

/** @param seenOf what the scheduler sees of each pod */
export function expandPods(
  demands: readonly PodDemand[],
  seenOf: (demand: PodDemand) => Seen,
  relaxing: Relaxing,
  namespacesOf: OfPod["namespacesOf"],
): SolverPod[] {
  const pods: SolverPod[] = [];
  const shapes = new Map<string, PodShape>();
  for (const demand of demands) {
    const { resource } = demand;
    const of = { namespace: namespaceOf(resource), labels: labelsOfPods(demand) };
    const { pod, unknown } = seenOf(demand);
    const id = JSON.stringify([kindOf(pod, of), unknown]);
    const shape = shapes.get(id) ?? withUnknown(podShape(pod, of, relaxing, namespacesOf), unknown);
    shapes.set(id, shape);
    const count = replicasOf(demand) ?? 0;
    const created = parseRfc3339(textAt(resource.value, ["metadata", "creationTimestamp"]) ?? "") ?? 0;
    const uid = resource.kind === "Pod" ? textAt(resource.value, ["metadata", "uid"]) : undefined;
    for (let index = 0; index < count; index++) {
      const name = resource.kind === "Pod" ? resource.name : `${resource.name}-${index + (demand.ofBuffer ? 1 : 0)}`;
      const place = uid ?? String(pods.length).padStart(DIGITS, "0");
      pods.push({
        demand,
        shape,
        name,
        created: demand.ofBuffer ? LAST : resource.kind === "Pod" ? created : 0,
        uid: place,
      });
    }
  }
  return pods;
}

function withUnknown(shape: PodShape, more: readonly string[]): PodShape {
  return more.length === 0 ? shape : { ...shape, unknown: [...shape.unknown, ...more] };
}

/** Equal for pods that are alike to the scheduler. */
function kindOf({ spec, requests, volumes }: PodDemand, { namespace, labels }: Pick<PodShape, "namespace" | "labels">) {
  const { affinity, nodeSelector, tolerations, topologySpreadConstraints } = spec;
  const asked = [affinity, nodeSelector, tolerations, topologySpreadConstraints, hostPorts(spec)];
  const amounts = [...requests].map(([resource, amount]) => `${resource} ${amount}`);
  const requirements = volumes.alternatives.map((entries) => entries.map(({ requirement }) => identityOf(requirement)));
  return JSON.stringify([namespace, labels, asked, amounts, requirements]);
}
