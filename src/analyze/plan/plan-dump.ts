/** The objects of a cluster as a plan starts from them. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { isStorage, storageOf } from "../../karpenter/scheduling/pod-volumes.ts";
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { isDaemonSet } from "../../model/objects/pod.ts";
import { readPods } from "../pods/read-pods.ts";
import { asItsPod } from "./daemon-set-pods.ts";
import type { PlanDump } from "./plan-world.ts";

export interface ReadDump extends Outcome<PlanDump> {
  readonly daemonSets: readonly PodDemand[];
}

interface DumpSettings extends Omit<PlanDump, "objects" | "pods"> {
  /** The kinds of volumes' objects that were all read; a kind that occurs was. */
  readonly listed?: readonly string[];
}

/** @param storage volumes of the other inputs */
export function planDump(
  objects: readonly Resource[],
  storage: readonly Resource[],
  { listed = [], ...settings }: DumpSettings,
): ReadDump {
  const all = [...storage, ...objects];
  const whole = new Set([...listed, ...objects.filter(isStorage).map(({ kind }) => kind)]);
  const pods = readPods(objects.filter(isPod), storageOf(all, whole));
  const daemonSets = readPods(objects.filter(isDaemonSet), storageOf(all));
  return {
    value: { ...settings, objects, pods: pods.value },
    daemonSets: daemonSets.value.map((daemonSet) => asItsPod(daemonSet, pods.value)),
    findings: [...pods.findings, ...daemonSets.findings],
  };
}

function isPod({ apiVersion, kind }: Resource): boolean {
  return kind === "Pod" && apiVersion === "v1";
}
