/** Pairs NodeClaims with their Nodes among the objects of a dump. */
import { textAt } from "../../krm/places/text-at.ts";
import { KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";

export type NodeObject = Pick<Resource, "apiVersion" | "kind" | "name" | "value">;

/** At least one of the two. */
export interface NodePair<T extends NodeObject = NodeObject> {
  readonly claim: T | undefined;
  readonly node: T | undefined;
}

/** Whether the object belongs to a dump of nodes. */
export function isNodeData({ kind, apiVersion }: NodeObject): boolean {
  if (kind === "NodeClaim") return groupOf(apiVersion) === KARPENTER_GROUP;
  return apiVersion === "v1" && (kind === "Node" || kind === "Pod");
}

/** A dump may have these too. Manifests of users may as well, so they do not make an input a dump. */
export function isPodBudget({ kind, apiVersion }: NodeObject): boolean {
  return kind === "PodDisruptionBudget" && apiVersion === "policy/v1";
}

/**
 * Pairs by the node name in the NodeClaim's status, else by the provider id. Nodes without a NodeClaim are included.
 */
export function pairNodes<T extends NodeObject>(objects: readonly T[]): NodePair<T>[] {
  const of = (kind: string): T[] => objects.filter((object) => object.kind === kind && isNodeData(object));
  const nodes = of("Node");
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const byProvider = new Map(nodes.map((node) => [textAt(node.value, ["spec", "providerID"]), node]));
  const pairs = of("NodeClaim").map((claim) => {
    const provider = textAt(claim.value, ["status", "providerID"]);
    const node =
      byName.get(textAt(claim.value, ["status", "nodeName"]) ?? "") ??
      (provider === undefined ? undefined : byProvider.get(provider));
    return { claim, node };
  });
  const claimed = new Set(pairs.map(({ node }) => node));
  return [...pairs, ...nodes.filter((node) => !claimed.has(node)).map((node) => ({ claim: undefined, node }))];
}
