/** Which Node is which NodeClaim's, among objects as kubectl prints them. */
import { isFields } from "../../karpenter/conversion/plain-fields.ts";
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { KARPENTER_GROUP } from "../../krm/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/resource.ts";

export type NodeObject = Pick<Resource, "apiVersion" | "kind" | "name" | "value">;

/** At least one of the two. */
export interface NodePair {
  readonly claim: NodeObject | undefined;
  readonly node: NodeObject | undefined;
}

/** What a dump of the nodes holds. */
export function isNodeData({ kind, apiVersion }: NodeObject): boolean {
  if (kind === "NodeClaim") return groupOf(apiVersion) === KARPENTER_GROUP;
  return apiVersion === "v1" && (kind === "Node" || kind === "Pod");
}

/** What a dump says besides of the pods on them; people write such objects as well. */
export function isPodBudget({ kind, apiVersion }: NodeObject): boolean {
  return kind === "PodDisruptionBudget" && apiVersion === "policy/v1";
}

/** Nodes without a claim come too. By the name that the claim's status has, else by its instance. */
export function pairNodes(objects: readonly NodeObject[]): NodePair[] {
  const of = (kind: string): NodeObject[] => objects.filter((object) => object.kind === kind && isNodeData(object));
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

/** A text that is there and not empty. */
export function textAt(object: unknown, path: FieldPath): string | undefined {
  const value = valueAt(object, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The texts of a mapping, such as labels; anything else in it is left out. */
export function textsAt(object: unknown, path: FieldPath): Record<string, string> {
  const value = valueAt(object, path);
  const entries = isFields(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
