/** What a pod has that may hold its node: annotations, and PodDisruptionBudgets. */
import type { RunningPod } from "../../karpenter/disruption/node-limit-candidates.ts";
import { untolerated } from "../../karpenter/scheduling/taints.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { listOf } from "../../krm/values/fields.ts";
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
  /** Whether it has completed. */
  readonly ended: boolean;
  /**
   * The PodDisruptionBudgets, as `namespace/name`, that block its eviction at the moment: one that allows none, or the
   * first two of several that select it.
   */
  readonly budgets: readonly string[];
  /** Whether they can never allow its eviction, whatever other pods do. */
  readonly neverEvicted: boolean;
  /** Whether it has to run elsewhere if its node goes. */
  readonly reschedulable: boolean;
  /** Whether a controller makes it again. */
  readonly owned: boolean;
}

/** See docs/upstream/karpenter.md#pods-that-hold-nodes. */
export function heldPodOf(value: unknown, budgets: readonly NodeObject[]): HeldPod {
  const priority = valueAt(value, ["spec", "priority"]);
  const namespace = textAt(value, ["metadata", "namespace"]) ?? "default";
  const active = !hasEnded(value) && textAt(value, ["metadata", "deletionTimestamp"]) === undefined;
  return {
    name: `${namespace}/${textAt(value, ["metadata", "name"]) ?? ""}`,
    annotations: textsAt(value, ["metadata", "annotations"]),
    priority: typeof priority === "number" ? priority : undefined,
    ofDaemonSet: isOwnedBy(value, "apps/v1", "DaemonSet"),
    startTime: timeAt(textAt(value, ["status", "startTime"])),
    active,
    ended: hasEnded(value),
    ...(active && isEvicted(value) ? budgetsOver(value, namespace, budgets) : NOT_HELD),
    reschedulable: isReschedulable(value),
    owned: listOf(valueAt(value, ["metadata", "ownerReferences"])).length > 0,
  };
}

/** `IsReschedulable` (pkg/utils/pod/scheduling.go): a pod of a StatefulSet comes again after it has gone. */
export function isReschedulable(pod: unknown): boolean {
  const isLeaving = textAt(pod, ["metadata", "deletionTimestamp"]) !== undefined;
  if (isLeaving ? !isOwnedBy(pod, "apps/v1", "StatefulSet") : hasEnded(pod)) return false;
  return !isOwnedBy(pod, "apps/v1", "DaemonSet") && !isOwnedBy(pod, "v1", "Node");
}

export function hasEnded(pod: unknown): boolean {
  return ["Failed", "Succeeded"].includes(textAt(pod, ["status", "phase"]) ?? "");
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

/** The eviction API refuses a pod that two budgets select. `isEvictable` in pkg/utils/pdb/pdb.go. */
function budgetsOver(pod: unknown, namespace: string, budgets: readonly NodeObject[]): HeldBy {
  const [first, second] = selecting(budgets)(namespace, textsAt(pod, ["metadata", "labels"]));
  const nameOf = ({ name }: NodeObject) => `${namespace}/${name}`;
  if (first === undefined) return NOT_HELD;
  if (second !== undefined) return { budgets: [nameOf(first), nameOf(second)], neverEvicted: true };
  const anyUnhealthy = textAt(first.value, ["spec", "unhealthyPodEvictionPolicy"]) === "AlwaysAllow";
  if (anyUnhealthy && conditionOf(pod, "Ready") === "False") return NOT_HELD;
  const allowsNone = (valueAt(first.value, ["status", "disruptionsAllowed"]) ?? 0) === 0;
  return { budgets: allowsNone ? [nameOf(first)] : [], neverEvicted: allowsNoneEver(first.value) };
}

type HeldBy = Pick<HeldPod, "budgets" | "neverEvicted">;

const NOT_HELD: HeldBy = { budgets: [], neverEvicted: false };

/** Whether a PodDisruptionBudget says so by itself, for any number of pods (`newPdb` in pkg/utils/pdb/pdb.go). */
export function allowsNoneEver(budget: unknown): boolean {
  const [most, least] = ["maxUnavailable", "minAvailable"].map((field) => valueAt(budget, ["spec", field]));
  return most === 0 || most === "0%" || least === "100%";
}

const selecting = memoizeByObject((budgets: readonly NodeObject[]) =>
  bySelector(
    budgets,
    ({ value }) => textAt(value, ["metadata", "namespace"]) ?? "default",
    ({ value }) => valueAt(value, ["spec", "selector"]),
  ),
);

export function isOwnedBy(object: unknown, apiVersion: string, kind: string): boolean {
  const owners = valueAt(object, ["metadata", "ownerReferences"]);
  return (
    Array.isArray(owners) &&
    owners.some((owner) => textAt(owner, ["kind"]) === kind && textAt(owner, ["apiVersion"]) === apiVersion)
  );
}

export function conditionOf(object: unknown, type: string): string | undefined {
  return textAt(conditionAt(object, type), ["status"]);
}

/** The whole condition: status, reason, message, lastTransitionTime. */
export function conditionAt(object: unknown, type: string): unknown {
  return listOf(valueAt(object, ["status", "conditions"])).find((one) => textAt(one, ["type"]) === type);
}

export function timeAt(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseRfc3339(text);
}
