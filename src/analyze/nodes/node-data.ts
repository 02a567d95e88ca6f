/** Facts about each node of a pool from a dump: its pool, its class, its labels. */
import type { Amounts } from "../../karpenter/scheduling/resources.ts";
import { parseQuantity } from "../../model/quantity.ts";
import { type NodeLife, nodeLives } from "./node-life.ts";
import { type NodeObject, textAt, textsAt } from "./node-pairs.ts";

export interface NodeFacts {
  readonly name: string;
  readonly nodePool: string;
  /** Undefined where only the node is known. */
  readonly nodeClass: string | undefined;
  /**
   * Of the NodeClaim where there is one, because Karpenter looks for drift there (docs/upstream/karpenter.md#drift).
   */
  readonly labels: Readonly<Record<string, string>>;
  readonly life: NodeLife;
  /** What Karpenter launched the node for; undefined where nobody says it. */
  readonly requests?: Amounts | undefined;
}

const POOL = "karpenter.sh/nodepool";
const NODE_CLASS = "karpenter.k8s.aws/ec2nodeclass";

/** Of what `kubectl get nodeclaims,nodes` prints. Nodes that no pool made are nobody's here. */
export function readNodeData(objects: readonly NodeObject[]): NodeFacts[] {
  return nodeLives(objects)
    .flatMap(({ pair: { claim, node }, life }) => factsOf((claim ?? node)!, life))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function factsOf({ name, value }: NodeObject, life: NodeLife): NodeFacts[] {
  const labels = textsAt(value, ["metadata", "labels"]);
  const nodePool = labels[POOL];
  if (nodePool === undefined) return [];
  const nodeClass = textAt(value, ["spec", "nodeClassRef", "name"]) ?? labels[NODE_CLASS];
  return [{ name, nodePool, nodeClass, labels, life, requests: requestsOf(value) }];
}

/** Pods and DaemonSets as they were when it was launched. */
function requestsOf(value: unknown): Amounts | undefined {
  const texts = Object.entries(textsAt(value, ["spec", "resources", "requests"]));
  const amounts = texts.flatMap(([name, text]): [string, bigint][] => {
    const quantity = parseQuantity(text);
    return quantity === undefined ? [] : [[name, quantity.nano]];
  });
  return amounts.length === 0 ? undefined : new Map(amounts);
}
