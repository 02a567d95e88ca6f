/** Checks whether Karpenter provisions a node for a pod of a cluster. */
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";

/**
 * A pod that the scheduler marked unschedulable, that is not bound, not finished and not owned by a DaemonSet or a
 * node (`IsProvisionable`, docs/upstream/karpenter.md#pods).
 */
export function isProvisionable(pod: unknown): boolean {
  return isUnschedulable(pod) && !isBound(pod) && !hasEnded(pod) && !NODE_OWNERS.some((owner) => isOwnedBy(pod, owner));
}

/** Gated pods have another reason, and so do those of other schedulers. */
function isUnschedulable(pod: unknown): boolean {
  return listAt(pod, ["status", "conditions"]).some(
    (condition) =>
      valueAt(condition, ["type"]) === "PodScheduled" && valueAt(condition, ["reason"]) === "Unschedulable",
  );
}

/** Or nominated for a node, after preemption. */
function isBound(pod: unknown): boolean {
  return [
    ["spec", "nodeName"],
    ["status", "nominatedNodeName"],
  ].some((path) => (valueAt(pod, path) ?? "") !== "");
}

function hasEnded(pod: unknown): boolean {
  const phase = valueAt(pod, ["status", "phase"]);
  return phase === "Succeeded" || phase === "Failed";
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Pods of these owners belong to one node. */
const NODE_OWNERS: readonly Owner[] = [
  { apiVersion: "apps/v1", kind: "DaemonSet" },
  { apiVersion: "v1", kind: "Node" },
];

function isOwnedBy(pod: unknown, { apiVersion, kind }: Owner): boolean {
  return listAt(pod, ["metadata", "ownerReferences"]).some(
    (owner) => valueAt(owner, ["apiVersion"]) === apiVersion && valueAt(owner, ["kind"]) === kind,
  );
}

function listAt(value: unknown, path: FieldPath): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}
