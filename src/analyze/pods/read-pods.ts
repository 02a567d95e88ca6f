/** Reads the pods that resources define, with their requirements on a node. */
import { type PodDemand, podRequests } from "../../karpenter/scheduling/pod-requests.ts";
import { type Finding, findingOnInput, type Outcome } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { podSpecPath, podSpecSchema } from "../../model/pod.ts";
import { validate } from "../../model/validate.ts";

/** Kinds that create no pods are skipped. Only the fields of a pod's spec that decide on its node are validated. */
export function readPods(resources: readonly Resource[]): Outcome<PodDemand[]> {
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
    value.push({ resource, path, spec: read.value, requests: podRequests(read.value) });
  }
  // Unreadable files have findings already.
  if (!found && resources.length > 0) findings.push(findingOnInput("pod-invalid", NONE));
  return { value, findings };
}

const NONE = {
  message: "none of the resources given as pods is a pod or creates pods",
  hint: "pass a Pod, a Deployment, StatefulSet, ReplicaSet, DaemonSet, Job or CronJob, or a List of them",
};
