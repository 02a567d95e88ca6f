/** The nodes of each pool from a dump, and how many nodes a pool has and what they count for. */
import { memoizeByObject } from "../../model/schema/memoize.ts";
import { type CountedNodes, countNodes } from "../disrupt/counted-nodes.ts";
import type { SimulatedPool } from "./pools.ts";
import { type NodeLife, nodeLives } from "../nodes/node-life.ts";
import { textAt } from "../../krm/places/text-at.ts";
import type { NodeObject } from "../nodes/node-pairs.ts";

export interface PoolNodes extends CountedNodes {
  /** All that exist, including those that are being disrupted. A node limit counts these. */
  readonly total: number;
  /** Those that are not being disrupted. Provisioning and deprovisioning count these. */
  readonly active: number;
  readonly from: "given" | "data" | "status" | "replicas" | "assumed";
  /** Each node, if they were read from data. */
  readonly known: readonly SimulatedNode[];
}

/** @param data undefined without data about any pool; a pool that has no nodes in the data has none */
export function nodesOf(
  pool: SimulatedPool,
  given: number | undefined,
  data: readonly SimulatedNode[] | undefined,
): PoolNodes {
  if (given !== undefined) return alike(given, "given");
  if (data !== undefined) return counted(byPool(data).get(pool.name) ?? []);
  if (pool.statusNodes !== undefined) return alike(pool.statusNodes, "status");
  if (pool.replicas !== undefined) return alike(pool.replicas, "replicas");
  // A pool that has reached its limit is the exception, so it is not assumed.
  const room = pool.limit === undefined ? ASSUMED : Math.max(0, pool.limit.nodes - 1);
  return alike(Math.min(ASSUMED, room), "assumed");
}

/** Memoized, because thousands of pools read the same dump. */
const byPool = memoizeByObject((data: readonly SimulatedNode[]) => Map.groupBy(data, ({ nodePool }) => nodePool));

const ASSUMED = 10;

/** Nodes that are all initialized, ready and not being disrupted. */
function alike(count: number, from: PoolNodes["from"]): PoolNodes {
  return { total: count, active: count, counted: count, going: 0, notReady: 0, from, known: [] };
}

function counted(nodes: readonly SimulatedNode[]): PoolNodes {
  return {
    total: nodes.filter(({ terminating }) => !terminating).length,
    active: nodes.filter(({ deleting }) => !deleting).length,
    ...countNodes(nodes),
    from: "data",
    known: nodes,
  };
}

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
