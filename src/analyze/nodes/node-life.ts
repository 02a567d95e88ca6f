/** What decides how long a node runs on, of its NodeClaim, its Node and its pods. */
import type { LimitedNode } from "../../karpenter/disruption/node-limit-candidates.ts";
import { valueAt } from "../../krm/field-path.ts";
import { conditionOf, type HeldPod, heldPodOf, timeAt } from "./held-pod.ts";
import { isPodBudget, type NodeObject, type NodePair, pairNodes, textAt, textsAt } from "./node-pairs.ts";

export interface NodeLife extends LimitedNode {
  readonly pods: readonly HeldPod[];
  /** Undefined where only the Node is known. */
  readonly claim: string | undefined;
  /** Of the NodeClaim, for ever; null for none. Undefined where nobody knows its spec. */
  readonly terminationGracePeriod: string | null | undefined;
  /** Until then Karpenter's budgets pass the node by. */
  readonly initialized: boolean;
  readonly ready: boolean;
  /** Going already: it uses up a budget, and its place under the limit is free again. */
  readonly deleting: boolean;
  /** Since when, milliseconds since 1970; undefined where it is not, or nobody knows. */
  readonly deletedAt: number | undefined;
  /** Its instance is going: no budget knows the node any more. */
  readonly terminating: boolean;
  /** Its own annotation keeps drift away, and nothing else does (docs/upstream/karpenter.md#how-long-nodes-stay). */
  readonly doNotDisrupt: boolean;
}

export const DO_NOT_DISRUPT = "karpenter.sh/do-not-disrupt";

/** Of each node in a dump, in its order. */
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
  const saysSpec = valueAt(ofClaim, ["spec"]) !== undefined;
  return {
    name,
    claim: claim?.name,
    launched: ofClaim === undefined || textAt(ofClaim, ["status", "providerID"]) !== undefined,
    created: timeAt(textAt(ofClaim ?? ofNode, ["metadata", "creationTimestamp"])),
    expireAfter: textAt(ofClaim, ["spec", "expireAfter"]),
    terminationGracePeriod: textAt(ofClaim, ["spec", "terminationGracePeriod"]) ?? (saysSpec ? null : undefined),
    // Karpenter reads the node; a dump without Nodes has the NodeClaim's word.
    initialized:
      ofNode === undefined
        ? initialized
        : textAt(ofNode, ["metadata", "labels", "karpenter.sh/initialized"]) === "true",
    ready: ofNode === undefined ? initialized : conditionOf(ofNode, "Ready") === "True",
    deleting: terminating || deletedAt !== undefined || isDisrupted(ofNode),
    deletedAt: timeAt(deletedAt),
    terminating,
    doNotDisrupt: annotations[DO_NOT_DISRUPT] === "true",
    pods: (pods.get(node?.name) ?? []).map(({ value }) => heldPodOf(value, budgets)),
  };
}

/** Karpenter marks what it is about to remove in its memory, and on the node for the others. */
function isDisrupted(node: unknown): boolean {
  const taints = valueAt(node, ["spec", "taints"]);
  return Array.isArray(taints) && taints.some((taint) => textAt(taint, ["key"]) === "karpenter.sh/disrupted");
}
