/** The nodes of each pool, from NodeClaims, Nodes and Pods as kubectl prints them. */
import { type NodeLife, nodeLives } from "../nodes/node-life.ts";
import { type NodeObject, textAt } from "../nodes/node-pairs.ts";

export interface SimulatedNode extends NodeLife {
  readonly nodePool: string;
}

/** Sorted by name. Nodes without a pool are left out. */
export function simulatedNodes(objects: readonly NodeObject[]): SimulatedNode[] {
  return nodeLives(objects)
    .flatMap(({ pair: { claim, node }, life }) => {
      const nodePool = textAt((claim ?? node)?.value, ["metadata", "labels", "karpenter.sh/nodepool"]);
      return nodePool === undefined ? [] : [{ ...life, nodePool }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
