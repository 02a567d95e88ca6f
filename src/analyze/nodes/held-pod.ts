/** Whether a pod blocks the removal of its node, by its annotations and PodDisruptionBudgets. */
import { forbidsDisruption, type RunningPod } from "../../karpenter/disruption/node-limit-candidates.ts";
import { untolerated } from "../../karpenter/scheduling/taints.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { parseRfc3339 } from "../../model/values/rfc3339.ts";
import type { Toleration } from "../../model/objects/pod.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { bySelector } from "./by-selector.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import type { NodeObject } from "./node-pairs.ts";

export interface HeldPod extends RunningPod {
  /** `namespace/name`. */
  readonly name: string;
  /** Neither completed nor being deleted. Only active pods block. */
  readonly active: boolean;
  /** The PodDisruptionBudget, as `namespace/name`, that blocks its eviction at the moment. */
  readonly budget: string | undefined;
}

/** See docs/upstream/karpenter.md#pods-that-hold-nodes. */
export function heldPodOf(value: unknown, budgets: readonly NodeObject[]): HeldPod {
  const priority = valueAt(value, ["spec", "priority"]);
  const namespace = textAt(value, ["metadata", "namespace"]) ?? "default";
  const ended = ["Failed", "Succeeded"].includes(textAt(value, ["status", "phase"]) ?? "");
  const active = !ended && textAt(value, ["metadata", "deletionTimestamp"]) === undefined;
  return {
    name: `${namespace}/${textAt(value, ["metadata", "name"]) ?? ""}`,
    annotations: textsAt(value, ["metadata", "annotations"]),
    priority: typeof priority === "number" ? priority : undefined,
    ofDaemonSet: isOwnedBy(value, "apps/v1", "DaemonSet"),
    startTime: timeAt(textAt(value, ["status", "startTime"])),
    active,
    budget: active && isEvicted(value) ? budgetOver(value, namespace, budgets) : undefined,
  };
}

/** The reason in words; undefined if it does not block the removal of its node. */
export function whyHeld(pod: HeldPod, at: number): string | undefined {
  if (!pod.active) return undefined;
  if (forbidsDisruption(pod, at)) return `its pod ${pod.name} has karpenter.sh/do-not-disrupt`;
  return pod.budget === undefined
    ? undefined
    : `PodDisruptionBudget ${pod.budget} blocks the eviction of its pod ${pod.name}`;
}

/** Karpenter evicts neither mirror pods nor pods that tolerate its disruption taint. */
export function isEvicted(value: unknown): boolean {
  const tolerations = valueAt(value, ["spec", "tolerations"]);
  const given = Array.isArray(tolerations) ? (tolerations as Toleration[]).filter(isObject) : [];
  return untolerated([DISRUPTED], given).length > 0 && !isOwnedBy(value, "v1", "Node");
}

const DISRUPTED = { key: "karpenter.sh/disrupted", effect: "NoSchedule" };

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The eviction API refuses a pod that two budgets select. */
function budgetOver(pod: unknown, namespace: string, budgets: readonly NodeObject[]): string | undefined {
  const [first, second] = selecting(budgets)(namespace, textsAt(pod, ["metadata", "labels"]));
  const nameOf = ({ name }: NodeObject) => `${namespace}/${name}`;
  if (first === undefined) return undefined;
  if (second !== undefined) return nameOf(first);
  const anyUnhealthy = textAt(first.value, ["spec", "unhealthyPodEvictionPolicy"]) === "AlwaysAllow";
  if (anyUnhealthy && conditionOf(pod, "Ready") === "False") return undefined;
  return (valueAt(first.value, ["status", "disruptionsAllowed"]) ?? 0) === 0 ? nameOf(first) : undefined;
}

const selecting = memoizeByObject((budgets: readonly NodeObject[]) =>
  bySelector(
    budgets,
    ({ value }) => textAt(value, ["metadata", "namespace"]) ?? "default",
    ({ value }) => valueAt(value, ["spec", "selector"]),
  ),
);

function isOwnedBy(object: unknown, apiVersion: string, kind: string): boolean {
  const owners = valueAt(object, ["metadata", "ownerReferences"]);
  return (
    Array.isArray(owners) &&
    owners.some((owner) => textAt(owner, ["kind"]) === kind && textAt(owner, ["apiVersion"]) === apiVersion)
  );
}

export function conditionOf(object: unknown, type: string): string | undefined {
  const conditions = valueAt(object, ["status", "conditions"]);
  const found: unknown = Array.isArray(conditions)
    ? conditions.find((one) => textAt(one, ["type"]) === type)
    : undefined;
  return textAt(found, ["status"]);
}

export function timeAt(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseRfc3339(text);
}
