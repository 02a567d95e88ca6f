/** Changes of a plan's input to try: other numbers of pods. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { namespaceOf, replicasOf } from "./expand-pods.ts";

export interface WhatIf {
  /** How many pods a workload has, by `NAME` or `NAMESPACE/NAME`. */
  readonly replicas: ReadonlyMap<string, number>;
  /** By what the numbers of pods of all workloads are multiplied, and rounded up. */
  readonly scale?: number | undefined;
  /** Whether each autoscaler has scaled its workload to the maximum. */
  readonly atMaximum?: boolean;
}

/** @param resources those among which autoscalers are */
export function changeReplicas(
  demands: readonly PodDemand[],
  resources: readonly Resource[],
  { replicas, scale = 1, atMaximum = false }: WhatIf,
): PodDemand[] {
  const maximum = new Map(atMaximum ? resources.flatMap(maximumOf) : []);
  return demands.map((demand) => {
    const { kind, name } = demand.resource;
    if (kind === "Pod" || isDaemonSet(demand.resource)) return demand;
    const namespace = namespaceOf(demand.resource);
    const count = maximum.get(`${kind} ${namespace}/${name}`) ?? replicasOf(demand);
    const scaled = count === undefined ? undefined : Math.ceil(count * scale);
    return { ...demand, replicas: replicas.get(`${namespace}/${name}`) ?? replicas.get(name) ?? scaled };
  });
}

/** The workload of an autoscaler, and the most pods that it gives it. */
function maximumOf(resource: Resource): (readonly [workload: string, count: number])[] {
  const { apiVersion, kind, value } = resource;
  const target = (field: string) => textAt(value, ["spec", "scaleTargetRef", field]);
  const of = (count: unknown) =>
    typeof count === "number" && Number.isSafeInteger(count) && count >= 0
      ? [[`${target("kind") ?? "Deployment"} ${namespaceOf(resource)}/${target("name") ?? ""}`, count] as const]
      : [];
  if (kind === "HorizontalPodAutoscaler" && groupOf(apiVersion) === "autoscaling")
    return of(valueAt(value, ["spec", "maxReplicas"]));
  if (kind === "ScaledObject" && groupOf(apiVersion) === "keda.sh")
    return of(valueAt(value, ["spec", "maxReplicaCount"]) ?? KEDA_MAXIMUM);
  return [];
}

/** `getHPAMaxReplicas` of KEDA (controllers/keda/hpa.go). */
const KEDA_MAXIMUM = 100;
