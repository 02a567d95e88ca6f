/** Groups pods of a cluster that have the same owner and the same requirements. */
import type { PodDemand, PodGroup } from "../../karpenter/scheduling/pod-requests.ts";
import { canonical } from "../../krm/canonical.ts";
import { valueAt } from "../../krm/field-path.ts";
import { groupOf, type Resource } from "../../krm/resource.ts";
import { type Container, isDaemonSet } from "../../model/pod.ts";
import { hasClaims } from "./refusal.ts";

/** Each group is represented by its first pod. DaemonSets are not grouped. */
export function groupPods(pods: readonly PodDemand[]): PodDemand[] {
  const daemonSets = pods.filter(({ resource }) => isDaemonSet(resource));
  const others = pods.filter(({ resource }) => !isDaemonSet(resource));
  const groups = Map.groupBy(others, (pod) => canonical([pod.resource.namespace, ownerOf(pod.resource), asked(pod)]));
  const grouped = [...groups.values()].map((alike): PodDemand => {
    const first = alike[0]!;
    return { ...first, group: { ...ownerOf(first.resource), count: alike.length } };
  });
  return [...grouped, ...daemonSets];
}

/** The name of a ReplicaSet contains that of its Deployment. A pod without a controller is its own owner. */
function ownerOf({ value, kind, name }: Resource): Pick<PodGroup, "kind" | "name"> {
  const owners = valueAt(value, ["metadata", "ownerReferences"]);
  const owner: unknown = (Array.isArray(owners) ? owners : []).find(
    (one: unknown) => valueAt(one, ["controller"]) === true,
  );
  if (owner === undefined) return { kind, name };
  const of = { kind: String(valueAt(owner, ["kind"])), name: String(valueAt(owner, ["name"])) };
  const hash = valueAt(value, ["metadata", "labels", "pod-template-hash"]);
  const isOfDeployment =
    of.kind === "ReplicaSet" &&
    groupOf(String(valueAt(owner, ["apiVersion"]))) === "apps" &&
    typeof hash === "string" &&
    of.name.endsWith(`-${hash}`);
  return isOfDeployment ? { kind: "Deployment", name: of.name.slice(0, -hash.length - 1) } : of;
}

/**
 * Everything that decides on a node, or is reported as not considered. Volumes count only by their existence, because
 * each pod of a StatefulSet has its own.
 */
function asked(pod: PodDemand): unknown {
  const { spec, requests } = pod;
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, hostNetwork, runtimeClassName } = spec;
  const portsOf = (containers: readonly Container[] = []) => containers.map(({ ports }) => ports);
  return {
    requests: [...requests].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ports: [portsOf(spec.containers), portsOf(spec.initContainers)],
    volumes: spec.volumes?.some(
      (volume) => (volume.persistentVolumeClaim ?? volume.ephemeral ?? undefined) !== undefined,
    ),
    claims: hasClaims(pod),
    nodeSelector,
    affinity,
    tolerations,
    topologySpreadConstraints,
    hostNetwork,
    runtimeClassName,
  };
}
