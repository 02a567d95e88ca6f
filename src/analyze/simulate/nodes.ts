/** What counts of each node of a pool, from NodeClaims, Nodes and Pods as kubectl prints them. */
import type { RunningPod } from "../../karpenter/disruption/eviction-cost.ts";
import type { LimitedNode } from "../../karpenter/disruption/node-limit-candidates.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { type NodeObject, type NodePair, pairNodes, textAt, textsAt } from "../nodes/node-pairs.ts";
import { parseTime } from "./time.ts";
import { UTC } from "./zone.ts";

export interface SimulatedNode extends LimitedNode {
  readonly nodePool: string;
  /** Undefined where only the Node is known. */
  readonly claim: string | undefined;
  /** Until then Karpenter's budgets pass the node by. */
  readonly initialized: boolean;
  readonly ready: boolean;
  /** Going already: it uses up a budget, and its place under the limit is free again. */
  readonly deleting: boolean;
  /** Its instance is going: no budget knows the node any more. */
  readonly terminating: boolean;
}

/** By pool and name; nodes that no pool made are nobody's here. */
export function simulatedNodes(objects: readonly NodeObject[]): SimulatedNode[] {
  const pods = Map.groupBy(
    objects.filter(({ kind, apiVersion }) => kind === "Pod" && apiVersion === "v1"),
    ({ value }) => textAt(value, ["spec", "nodeName"]),
  );
  return pairNodes(objects)
    .flatMap((pair) => factsOf(pair, pods))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function factsOf(
  { claim, node }: NodePair,
  pods: ReadonlyMap<string | undefined, readonly NodeObject[]>,
): SimulatedNode[] {
  const [ofClaim, ofNode] = [claim?.value, node?.value];
  const nodePool = textAt(ofClaim ?? ofNode, ["metadata", "labels", "karpenter.sh/nodepool"]);
  const name = node?.name ?? claim?.name;
  if (nodePool === undefined || name === undefined) return [];
  const terminating = conditionOf(ofClaim, "InstanceTerminating") === "True";
  const initialized = conditionOf(ofClaim, "Initialized") === "True";
  return [
    {
      name,
      claim: claim?.name,
      nodePool,
      launched: ofClaim === undefined || textAt(ofClaim, ["status", "providerID"]) !== undefined,
      created: instantAt(ofClaim ?? ofNode, ["metadata", "creationTimestamp"]),
      expireAfter: textAt(ofClaim, ["spec", "expireAfter"]),
      // Karpenter reads the node; a dump without Nodes has the NodeClaim's word.
      initialized:
        ofNode === undefined
          ? initialized
          : textAt(ofNode, ["metadata", "labels", "karpenter.sh/initialized"]) === "true",
      ready: ofNode === undefined ? initialized : conditionOf(ofNode, "Ready") === "True",
      deleting: terminating || isDeleting(ofClaim ?? ofNode) || isDisrupted(ofNode),
      terminating,
      pods: (pods.get(node?.name) ?? []).map(({ value }) => podOf(value)),
    },
  ];
}

function isDeleting(object: unknown): boolean {
  return textAt(object, ["metadata", "deletionTimestamp"]) !== undefined;
}

/** Karpenter marks what it is about to remove in its memory, and on the node for the others. */
function isDisrupted(node: unknown): boolean {
  const taints = valueAt(node, ["spec", "taints"]);
  return Array.isArray(taints) && taints.some((taint) => textAt(taint, ["key"]) === "karpenter.sh/disrupted");
}

function podOf(value: unknown): RunningPod {
  const owners = valueAt(value, ["metadata", "ownerReferences"]);
  const priority = valueAt(value, ["spec", "priority"]);
  return {
    annotations: textsAt(value, ["metadata", "annotations"]),
    priority: typeof priority === "number" ? priority : undefined,
    ofDaemonSet:
      Array.isArray(owners) &&
      owners.some((owner) => textAt(owner, ["kind"]) === "DaemonSet" && textAt(owner, ["apiVersion"]) === "apps/v1"),
    startTime: instantAt(value, ["status", "startTime"]),
  };
}

function conditionOf(object: unknown, type: string): string | undefined {
  const conditions = valueAt(object, ["status", "conditions"]);
  const found: unknown = Array.isArray(conditions)
    ? conditions.find((one) => textAt(one, ["type"]) === type)
    : undefined;
  return textAt(found, ["status"]);
}

function instantAt(object: unknown, path: FieldPath): number | undefined {
  const text = textAt(object, path);
  return text === undefined ? undefined : parseTime(text, 0, UTC);
}
