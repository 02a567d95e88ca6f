/** DaemonSets of a cluster with the spec of their pods, which admission may have changed. */
import type { PodDemand } from "../../karpenter/scheduling/pod-requests.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt } from "../../krm/places/text-at.ts";
import { namespaceOf } from "./expand-pods.ts";

/**
 * `UpdateDaemonSet` (pkg/controllers/state/cluster.go) and `getDaemonSetPods` (provisioner.go): the newest pod stands for
 * all of them. The controller of DaemonSets has tied its node affinity to a node, so the required one is the template's.
 */
export function asItsPod(daemonSet: PodDemand, pods: readonly PodDemand[]): PodDemand {
  const uid = textAt(daemonSet.resource.value, ["metadata", "uid"]);
  const own = pods.filter((pod) => uid !== undefined && controllerOf(pod) === uid && isBeside(pod, daemonSet));
  const [newest] = own.toSorted((a, b) => (createdAt(a) > createdAt(b) ? -1 : createdAt(a) < createdAt(b) ? 1 : 0));
  if (newest === undefined) return daemonSet;
  const { spec, requests } = newest;
  const required = daemonSet.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined || required === null) return { ...daemonSet, spec, requests };
  const nodeAffinity = { ...spec.affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required };
  return { ...daemonSet, spec: { ...spec, affinity: { ...spec.affinity, nodeAffinity } }, requests };
}

function controllerOf({ resource }: PodDemand): string | undefined {
  const owners = valueAt(resource.value, ["metadata", "ownerReferences"]);
  const owner: unknown = (Array.isArray(owners) ? owners : []).find(
    (one: unknown) => valueAt(one, ["controller"]) === true,
  );
  return textAt(owner, ["uid"]);
}

function isBeside(pod: PodDemand, daemonSet: PodDemand): boolean {
  return namespaceOf(pod.resource) === namespaceOf(daemonSet.resource);
}

/** The API server writes it in UTC, to the second. */
function createdAt({ resource }: PodDemand): string {
  return textAt(resource.value, ["metadata", "creationTimestamp"]) ?? "";
}
