/** Reads the facts about nodes from a dump: pool, class, labels, requests. */
import type { Amounts } from "../../karpenter/scheduling/resources.ts";
import { parseQuantity } from "../../model/values/quantity.ts";
import { type NodeLife, nodeLives } from "./node-life.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import type { NodeObject } from "./node-pairs.ts";

export interface NodeFacts {
  readonly name: string;
  readonly nodePool: string;
  /** Undefined if the node names no class. */
  readonly nodeClass: string | undefined;
  /**
   * Those of the NodeClaim if there is one, because Karpenter compares these for drift
   * (docs/upstream/karpenter.md#drift).
   */
  readonly labels: Readonly<Record<string, string>>;
  readonly life: NodeLife;
  /** The resources that Karpenter launched the node for; undefined if the dump does not have them. */
  readonly requests?: Amounts | undefined;
}

const POOL = "karpenter.sh/nodepool";
/** The label with the name of the class: group and kind (pkg/apis/v1/labels.go, NodeClassLabelKey). */
const NODE_CLASS = /^[^/]+\/[a-z0-9]*nodeclass$/;

/** From the output of `kubectl get nodeclaims,nodes`. Nodes without a pool are left out. */
export function readNodeData(objects: readonly NodeObject[]): NodeFacts[] {
  return nodeLives(objects)
    .flatMap(({ pair: { claim, node }, life }) => factsOf((claim ?? node)!, life))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function factsOf({ name, value }: NodeObject, life: NodeLife): NodeFacts[] {
  const labels = textsAt(value, ["metadata", "labels"]);
  const nodePool = labels[POOL];
  if (nodePool === undefined) return [];
  const nodeClass = textAt(value, ["spec", "nodeClassRef", "name"]) ?? nodeClassIn(labels);
  return [{ name, nodePool, nodeClass, labels, life, requests: requestsOf(value) }];
}

function nodeClassIn(labels: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(labels).find(([key]) => NODE_CLASS.test(key))?.[1];
}

/** The requests of the pods and DaemonSets at the launch of the node. */
function requestsOf(value: unknown): Amounts | undefined {
  const texts = Object.entries(textsAt(value, ["spec", "resources", "requests"]));
  const amounts = texts.flatMap(([name, text]): [string, bigint][] => {
    const quantity = parseQuantity(text);
    return quantity === undefined ? [] : [[name, quantity.nano]];
  });
  return amounts.length === 0 ? undefined : new Map(amounts);
}
