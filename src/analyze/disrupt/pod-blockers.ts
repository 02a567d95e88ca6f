/** Which pods of a node hold it now, and whether a pod may move. */
import { doNotDisruptEnd } from "../../karpenter/disruption/node-limit-candidates.ts";
import { formatRfc3339 } from "../../model/values/rfc3339.ts";
import type { HeldPod } from "../nodes/held-pod.ts";
import type { Blocker } from "./blocker.ts";

/**
 * What keeps a pod from being evicted (`ValidatePodsDisruptable` in pkg/controllers/state/statenode.go; see
 * docs/upstream/karpenter.md#pods-that-hold-nodes). Karpenter reports the first of them only.
 */
export function podBlockers(pod: HeldPod, at: number): readonly Blocker[] {
  if (!pod.active) return NONE;
  const end = doNotDisruptEnd(pod);
  const isGuarded = end !== undefined && at < end;
  if (!isGuarded && pod.budgets.length === 0) return NONE;
  return [...(isGuarded ? [guarded(pod, end)] : []), ...ofBudgets(pod)];
}

const NONE: readonly Blocker[] = [];

function guarded({ name, annotations, startTime }: HeldPod, end: number): Blocker {
  const value = annotations["karpenter.sh/do-not-disrupt"];
  const isBounded = end !== Infinity;
  const ends = isBounded ? ` ${value!} until ${formatRfc3339(end)}` : "";
  const unstarted = value !== "true" && startTime === undefined ? `: ${value!}, and no start time to count from` : "";
  return {
    code: "pod-do-not-disrupt",
    message: `its pod ${name} has karpenter.sh/do-not-disrupt${ends}${unstarted}`,
    resource: `Pod ${name}`,
    until: isBounded ? end : undefined,
    change: `remove the annotation from Pod ${name} and from the template of its workload`,
    pod: name,
  };
}

function ofBudgets({ name, budgets, neverEvicted }: HeldPod): readonly Blocker[] {
  const [first, second] = budgets;
  if (first === undefined) return NONE;
  if (second !== undefined)
    return [
      {
        code: "several-pdbs",
        message: `PodDisruptionBudgets ${first} and ${second} both select its pod ${name}, and Kubernetes evicts no such pod`,
        resource: `PodDisruptionBudget ${first}`,
        until: undefined,
        change: `let only one of PodDisruptionBudgets ${first} and ${second} select Pod ${name}`,
        pod: name,
      },
    ];
  return [
    {
      code: "pdb-blocks",
      message: `PodDisruptionBudget ${first} blocks the eviction of its pod ${name}`,
      resource: `PodDisruptionBudget ${first}`,
      until: undefined,
      change: neverEvicted
        ? `let PodDisruptionBudget ${first} allow an eviction: write maxUnavailable: 1 in its place`
        : `run more replicas of Pod ${name}, or lower minAvailable of PodDisruptionBudget ${first}`,
      pod: name,
    },
  ];
}

/**
 * `IsCurrentlyReschedulable` (pkg/utils/pdb/pdb.go): whether Karpenter counts the pod among those that move when its node
 * goes. A PodDisruptionBudget that allows none at the moment only does not matter here.
 */
export function isCurrentlyReschedulable(pod: HeldPod, at: number): boolean {
  const end = pod.active ? doNotDisruptEnd(pod) : undefined;
  return pod.reschedulable && !(end !== undefined && at < end) && !pod.neverEvicted;
}
