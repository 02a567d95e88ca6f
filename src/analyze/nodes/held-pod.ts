/** Whether a pod keeps its node: what it says of disruption, and which budgets select it. */
import { forbidsDisruption, type RunningPod } from "../../karpenter/disruption/eviction-cost.ts";
import { untolerated } from "../../karpenter/scheduling/taints.ts";
import { valueAt } from "../../krm/field-path.ts";
import { parseRfc3339 } from "../../model/rfc3339.ts";
import type { Toleration } from "../../model/pod.ts";
import { selects } from "./label-selector.ts";
import { type NodeObject, textAt, textsAt } from "./node-pairs.ts";

export interface HeldPod extends RunningPod {
  /** `namespace/name`. */
  readonly name: string;
  /** Neither ended nor ending: what it says counts. */
  readonly active: boolean;
  /** The PodDisruptionBudget, as `namespace/name`, that does not let it go at the moment. */
  readonly budget: string | undefined;
}

/** As docs/upstream/karpenter.md#pods-that-hold-nodes has it. */
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

/** In words; undefined where it does not hold its node. */
export function whyHeld(pod: HeldPod, at: number): string | undefined {
  if (!pod.active) return undefined;
  if (forbidsDisruption(pod, at)) return `its pod ${pod.name} says karpenter.sh/do-not-disrupt`;
  return pod.budget === undefined ? undefined : `PodDisruptionBudget ${pod.budget} holds its pod ${pod.name}`;
}

/** Karpenter does not evict mirror pods, nor those that tolerate its own taint. */
function isEvicted(value: unknown): boolean {
  const tolerations = valueAt(value, ["spec", "tolerations"]);
  const given = Array.isArray(tolerations) ? (tolerations as Toleration[]).filter(isObject) : [];
  return untolerated([DISRUPTED], given).length > 0 && !isOwnedBy(value, "v1", "Node");
}

const DISRUPTED = { key: "karpenter.sh/disrupted", effect: "NoSchedule" };

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The eviction API takes no pod that two of them select. */
function budgetOver(pod: unknown, namespace: string, budgets: readonly NodeObject[]): string | undefined {
  const labels = textsAt(pod, ["metadata", "labels"]);
  const own = budgets.filter(
    ({ value }) =>
      (textAt(value, ["metadata", "namespace"]) ?? "default") === namespace &&
      selects(valueAt(value, ["spec", "selector"]), labels),
  );
  const [first, second] = own;
  const nameOf = ({ name }: NodeObject) => `${namespace}/${name}`;
  if (first === undefined) return undefined;
  if (second !== undefined) return nameOf(first);
  const anyUnhealthy = textAt(first.value, ["spec", "unhealthyPodEvictionPolicy"]) === "AlwaysAllow";
  if (anyUnhealthy && conditionOf(pod, "Ready") === "False") return undefined;
  return (valueAt(first.value, ["status", "disruptionsAllowed"]) ?? 0) === 0 ? nameOf(first) : undefined;
}

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
