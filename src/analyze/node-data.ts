/** What `kubectl get nodeclaims,nodes` says in, one fact sheet for each node of a pool out: its pool, its class, its labels. */
import { valueAt } from "../krm/field-path.ts";
import { KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { groupOf, type Resource } from "../krm/resource.ts";

export interface NodeFacts {
  readonly name: string;
  readonly nodePool: string;
  /** Undefined where only the node is known. */
  readonly nodeClass: string | undefined;
  /** Of the NodeClaim where there is one, because Karpenter looks for drift there (karpenter.md 1.8). */
  readonly labels: Readonly<Record<string, string>>;
}

type Entry = Pick<Resource, "apiVersion" | "kind" | "name" | "value">;

const POOL = "karpenter.sh/nodepool";
const NODE_CLASS = "karpenter.k8s.aws/ec2nodeclass";

/** Nodes that no pool made are nobody's here. */
export function readNodeData(objects: readonly Entry[]): NodeFacts[] {
  const claims = objects.filter(
    ({ kind, apiVersion }) => kind === "NodeClaim" && groupOf(apiVersion) === KARPENTER_GROUP,
  );
  const claimed = new Set(claims.map(({ value }) => valueAt(value, ["status", "nodeName"])));
  const nodes = objects.filter(
    ({ kind, apiVersion, name }) => kind === "Node" && apiVersion === "v1" && !claimed.has(name),
  );
  return [...claims, ...nodes].flatMap(factsOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function factsOf({ name, value }: Entry): NodeFacts[] {
  const labels = textsOf(valueAt(value, ["metadata", "labels"]));
  const nodePool = labels[POOL];
  if (nodePool === undefined) return [];
  const named = valueAt(value, ["spec", "nodeClassRef", "name"]);
  return [{ name, nodePool, nodeClass: typeof named === "string" ? named : labels[NODE_CLASS], labels }];
}

function textsOf(labels: unknown): Record<string, string> {
  const entries = typeof labels === "object" && labels !== null ? Object.entries(labels) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
