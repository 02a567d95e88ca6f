/** The facts of a NodeClaim, its Node and its pods that decide how long the node stays. */
import type { LimitedNode } from "../../karpenter/disruption/node-limit-candidates.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import { conditionOf, type HeldPod, heldPodOf, timeAt } from "./held-pod.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { isPodBudget, type NodeObject, type NodePair, pairNodes } from "./node-pairs.ts";

export interface NodeLife extends LimitedNode {
  readonly pods: readonly HeldPod[];
  /** Undefined if only the Node is known. */
  readonly claim: string | undefined;
  /** That of the NodeClaim, which never changes; null for none. Undefined if its spec is unknown. */
  readonly terminationGracePeriod: string | null | undefined;
  /** Karpenter's budgets do not count a node before it is initialized. */
  readonly initialized: boolean;
  readonly ready: boolean;
  /** Being disrupted or deleted: it uses up a budget, and no longer counts against the node limit. */
  readonly deleting: boolean;
  /** Milliseconds since 1970; undefined if it is not being deleted, or if the time is unknown. */
  readonly deletedAt: number | undefined;
  /** Its instance is terminating: budgets do not count the node any more. */
  readonly terminating: boolean;
  /** A reboot repairs it: it counts for budgets, and uses them up. */
  readonly rebooting: boolean;
  /** Its own annotation blocks drift (docs/upstream/karpenter.md#how-long-nodes-stay). */
  readonly doNotDisrupt: boolean;
}

export const DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";

/** One entry for each node of a dump, in its order. */
export function nodeLives(objects: readonly NodeObject[]): { readonly pair: NodePair; readonly life: NodeLife }[] {
  const pods = Map.groupBy(
    objects.filter(({ kind, apiVersion }) => kind === "Pod" && apiVersion === "v1"),
    ({ value }) => textAt(value, ["spec", "nodeName"]),
  );
  const budgets = objects.filter(isPodBudget);
  return pairNodes(objects).flatMap((pair) => {
    const life = lifeOf(pair, pods, budgets);
    return life === undefined ? [] : [{ pair, life }];
  });
}

function lifeOf(
  { claim, node }: NodePair,
  pods: ReadonlyMap<string | undefined, readonly NodeObject[]>,
  budgets: readonly NodeObject[],
): NodeLife | undefined {
  const [ofClaim, ofNode] = [claim?.value, node?.value];
  const name = node?.name ?? claim?.name;
  if (name === undefined) return undefined;
  const terminating = conditionOf(ofClaim, "InstanceTerminating") === "True";
  const initialized = conditionOf(ofClaim, "Initialized") === "True";
  const deletedAt = textAt(ofClaim ?? ofNode, ["metadata", "deletionTimestamp"]);
  const annotations = textsAt(ofNode ?? ofClaim, ["metadata", "annotations"]);
  const hasSpec = valueAt(ofClaim, ["spec"]) !== undefined;
  // Karpenter sets this annotation only on a NodeClaim that is being deleted. On another one a user has set it.
  const hasDrainEnd =
    deletedAt === undefined && textAt(ofClaim, ["metadata", "annotations", TERMINATION_TIMESTAMP]) !== undefined;
  return {
    name,
    claim: claim?.name,
    launched: ofClaim === undefined || textAt(ofClaim, ["status", "providerID"]) !== undefined,
    created: timeAt(textAt(ofClaim ?? ofNode, ["metadata", "creationTimestamp"])),
    expireAfter: textAt(ofClaim, ["spec", "expireAfter"]),
    terminationGracePeriod: hasDrainEnd
      ? null
      : (textAt(ofClaim, ["spec", "terminationGracePeriod"]) ?? (hasSpec ? null : undefined)),
    // Karpenter reads the Node. In a dump without Nodes the NodeClaim is the only source.
    initialized:
      ofNode === undefined
        ? initialized
        : textAt(ofNode, ["metadata", "labels", "karpenter.sh/initialized"]) === "true",
    ready: ofNode === undefined ? initialized : conditionOf(ofNode, "Ready") === "True",
    deleting: terminating || deletedAt !== undefined || isDisrupted(ofNode),
    deletedAt: timeAt(deletedAt),
    terminating,
    rebooting: conditionOf(ofClaim, "Rebooting") === "True",
    doNotDisrupt: annotations[DO_NOT_DISRUPT] === "true",
    pods: (pods.get(node?.name) ?? []).map(({ value }) => heldPodOf(value, budgets)),
  };
}

/** Karpenter taints a node before it removes it. */
function isDisrupted(node: unknown): boolean {
  const taints = valueAt(node, ["spec", "taints"]);
  return Array.isArray(taints) && taints.some((taint) => textAt(taint, ["key"]) === "karpenter.sh/disrupted");
}
