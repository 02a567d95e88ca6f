/** The objects of a cluster as a plan starts from them. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { storageOf } from "../../karpenter/scheduling/pod-volumes.ts";
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { readPods } from "../pods/read-pods.ts";
import type { PlanDump } from "./plan-world.ts";

export interface ReadDump extends Outcome<PlanDump> {
  readonly daemonSets: readonly PodDemand[];
}

/** @param storage volumes of the other inputs */
export function planDump(
  objects: readonly Resource[],
  storage: readonly Resource[],
  settings: Omit<PlanDump, "objects" | "pods">,
): ReadDump {
  const known = storageOf([...storage, ...objects]);
  const pods = readPods(objects.filter(isPod), known);
  const daemonSets = readPods(objects.filter(isDaemonSet), known);
  return {
    value: { ...settings, objects, pods: pods.value },
    daemonSets: daemonSets.value,
    findings: [...pods.findings, ...daemonSets.findings],
  };
}

function isPod({ apiVersion, kind }: Resource): boolean {
  return kind === "Pod" && apiVersion === "v1";
}
