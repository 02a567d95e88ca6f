/** Reads the pods that resources define, and groups those of a cluster that are alike. */
import { type PodDemand, type PodGroup, podRequests } from "../../karpenter/scheduling/pod-requests.ts";
import { podVolumes, type Storage, storageOf } from "../../karpenter/scheduling/pod-volumes.ts";
import { identityOf } from "../../karpenter/catalogue/type-filter.ts";
import { canonical } from "../../krm/values/canonical.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";
import { type Container, isDaemonSet, podSpecPath, podSpecSchema } from "../../model/objects/pod.ts";
import { hasClaims } from "./refusal.ts";
import { type Finding, findingOnInput, type Outcome } from "../../krm/findings/finding.ts";
import { validate } from "../../model/schema/validate.ts";

/** Kinds that create no pods are skipped. Only the fields of a pod's spec that decide on its node are validated. */
export function readPods(resources: readonly Resource[], storage: Storage = storageOf([])): Outcome<PodDemand[]> {
  const value: PodDemand[] = [];
  const findings: Finding[] = [];
  let found = false;
  for (const resource of resources) {
    const path = podSpecPath(resource);
    if (path === undefined) continue;
    found = true;
    const read = validate(podSpecSchema, resource, { code: "pod-invalid", unknownField: "unknown-field", path });
    findings.push(...read.findings);
    if (read.value === undefined) continue;
    const pod = { resource, path, spec: read.value };
    value.push({ ...pod, requests: podRequests(read.value), volumes: podVolumes(pod, storage) });
  }
  // Unreadable files have findings already.
  if (!found && resources.length > 0) findings.push(findingOnInput("pod-invalid", NONE));
  return { value, findings };
}

const NONE = {
  message: "none of the resources given as pods is a pod or creates pods",
  hint: "pass a Pod, a Deployment, StatefulSet, ReplicaSet, DaemonSet, Job or CronJob, or a List of them",
};

/** Each group is represented by its first pod. DaemonSets are not grouped. */
export function groupPods(pods: readonly PodDemand[]): PodDemand[] {
  const daemonSets = pods.filter(({ resource }) => isDaemonSet(resource));
  const others = pods.filter(({ resource }) => !isDaemonSet(resource));
  const groups = Map.groupBy(others, (pod) => canonical([pod.resource.namespace, ownerOf(pod.resource), asked(pod)]));
  const grouped = [...groups.values()].map((alike): PodDemand => {
    const first = alike[0]!;
    return { ...first, group: { ...ownerOf(first.resource), members: alike } };
  });
  return [...grouped, ...daemonSets];
}

/** The name of a ReplicaSet contains that of its Deployment. A pod without a controller is its own owner. */
export function ownerOf({ value, kind, name }: Resource): Pick<PodGroup, "kind" | "name"> {
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
 * Everything that decides on a node, or is reported as not considered. Volumes count by what they ask for, because each
 * pod of a StatefulSet has its own.
 */
function asked(pod: PodDemand): unknown {
  const { spec, requests, volumes } = pod;
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, hostNetwork, runtimeClassName } = spec;
  const portsOf = (containers: readonly Container[] = []) => containers.map(({ ports }) => ports);
  return {
    requests: [...requests].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ports: [portsOf(spec.containers), portsOf(spec.initContainers)],
    volumes: [
      volumes.alternatives.map((entries) => entries.map(({ requirement }) => identityOf(requirement)).toSorted()),
      volumes.missing.length > 0,
      volumes.refusal !== undefined,
    ],
    claims: hasClaims(pod),
    nodeSelector,
    affinity,
    tolerations,
    topologySpreadConstraints,
    hostNetwork,
    runtimeClassName,
  };
}
