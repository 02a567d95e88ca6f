/** How many nodes a change replaces, and how long that takes at least. */
import { memoizeByObject, memoizeByPair } from "../../model/schema/memoize.ts";
import { compatible, labelRequirements, requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { REPLACING, worstEffect } from "./change-effect.ts";
import { entriesOf } from "./change-node-pool.ts";
import type { ObjectChange } from "./compare-objects.ts";
import { classOf, isClassKind } from "./sides.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import { type Moment, rolloutOfDrift } from "../running/convergence.ts";
import type { RunningPool } from "../running/node-lifetime.ts";

export interface NodeCounts {
  /** Nodes of the pool, or of the pools that use the class. */
  readonly total: number | null;
  /** Null if only Karpenter can decide, which resolves subnets and images. */
  readonly affected: number | null;
  /** The names of the affected nodes; null if unknown. */
  readonly names: readonly string[] | null;
  /** Nanoseconds; null if unknown, or if the budgets allow no disruption. */
  readonly minDuration: bigint | null;
}

export const UNKNOWN_NODES: NodeCounts = { total: null, affected: null, names: null, minDuration: null };

interface Known {
  readonly nodes: readonly NodeFacts[];
  /** The pools of both sides by name; the new one if both have it. */
  readonly pools: ReadonlyMap<string, KubeObject>;
}

/** A pool with the settings that limit how fast its nodes are replaced. */
interface PacedPool {
  readonly name: string;
  readonly running: RunningPool;
}

/** The result of a change for a node. `replaced`: Karpenter starts another node for it. */
export type NodeOutcome = "stays" | "replaced" | "removed";

/** By the names of nodes. The others stay. */
export type NodeOutcomes = ReadonlyMap<string, NodeOutcome>;

export interface ChangedNodes {
  /** Nodes of the pool, or of the pools that use the class. */
  readonly own: readonly NodeFacts[];
  /** Undefined if only Karpenter can decide. */
  readonly affected: readonly NodeFacts[] | undefined;
  /** Undefined also if Karpenter chooses which nodes it deletes, because only the replicas decrease. */
  readonly outcomes: NodeOutcomes | undefined;
}

/** The nodes that a change affects, and what becomes of each. */
export function changedNodes(change: ObjectChange, { nodes, pools }: Known): ChangedNodes {
  const { kind, name } = change.resource;
  const own =
    kind === "NodePool"
      ? nodesOfPool(nodes, name)
      : isClassKind(kind)
        ? (byClass(nodes, pools).get(`${kind}/${name}`) ?? [])
        : [];
  const affected = own.length === 0 ? [] : affectedOf(change, own);
  const isChosen = change.effect === "removes-nodes" && change.after !== undefined;
  const outcome = change.effect === "removes-nodes" ? "removed" : "replaced";
  const outcomes = isChosen ? undefined : affected && new Map(affected.map((node) => [node.name, outcome] as const));
  return { own, affected, outcomes };
}

/** Memoized, because thousands of pools and classes read the same dump. */
const byPool = memoizeByObject((nodes: readonly NodeFacts[]) => Map.groupBy(nodes, ({ nodePool }) => nodePool));

export function nodesOfPool(nodes: readonly NodeFacts[], pool: string): readonly NodeFacts[] {
  return byPool(nodes).get(pool) ?? [];
}

const byClass = memoizeByPair((nodes: readonly NodeFacts[], pools: Known["pools"]) =>
  Map.groupBy(nodes, (node) => classOfNode(node, pools)),
);

export function countNodes(
  change: ObjectChange,
  { own, affected, outcomes }: ChangedNodes,
  pools: readonly PacedPool[],
  moment: Moment,
): NodeCounts {
  const total = own.length;
  if (affected === undefined) return { ...UNKNOWN_NODES, total };
  const names = outcomes === undefined ? null : affected.map((node) => node.name);
  return { total, affected: affected.length, names, minDuration: durationOf(change, affected, own, pools, moment) };
}

/**
 * Corrects the effect by the nodes that run. A node of a type outside the catalogue, or from an earlier version of the
 * pool, may drift even if no node of the catalogue's types would.
 */
export function withEffectOnNodes<C extends ObjectChange>(change: C, nodes: readonly NodeFacts[]): C {
  const { scope, effect, before, after, resource } = change;
  if (scope !== "catalogue" || REPLACING.has(effect)) return change;
  const own = nodesOfPool(nodes, resource.name);
  const drifting = own.some((node) => drifts(node, after) && !drifts(node, before));
  return drifting ? { ...change, effect: "replaces-some" } : change;
}

/** A node has only the name of its class, so the kind is taken from its pool. */
function classOfNode(node: NodeFacts, pools: Known["pools"]): string {
  const pool = pools.get(node.nodePool);
  const [kind = "EC2NodeClass", name] = pool === undefined ? [] : classOf(pool).split("/");
  return `${kind}/${node.nodeClass ?? name}`;
}

function affectedOf(change: ObjectChange, own: readonly NodeFacts[]): readonly NodeFacts[] | undefined {
  const { effect, after, resource, fields } = change;
  switch (effect) {
    case "none":
    case "behavioural":
    case "new-nodes":
      return [];
    case "replaces-some":
      return resource.kind === "NodePool" ? own.filter((node) => drifts(node, after)) : undefined;
    case "unknown":
      return undefined;
    case "replaces-all":
      // This holds for types of the catalogue, so the labels of each node are checked.
      return change.scope === "catalogue" ? own.filter((node) => drifts(node, after)) : own;
    case "removes-nodes": {
      if (after === undefined) return own;
      // Nodes that are deleted for fewer replicas may be the ones that drift.
      const rest = worstEffect(fields.map((field) => field.effect).filter((one) => one !== effect));
      const others = affectedOf({ ...change, effect: rest }, own) ?? [];
      const surplus = own.length - Number(valueAt(after, ["spec", "replicas"]));
      return own.slice(0, Math.max(others.length, surplus, 0));
    }
  }
}

/**
 * Whether the labels of the NodeClaim violate the requirements, which is Karpenter's own check
 * (docs/upstream/karpenter.md#drift).
 */
function drifts({ labels }: NodeFacts, pool: KubeObject | undefined): boolean {
  return !fitsPool(labels, pool);
}

/** Whether labels of a NodeClaim satisfy the requirements of its pool. */
export function fitsPool(labels: Readonly<Record<string, string>>, pool: KubeObject | undefined): boolean {
  return compatible(labelRequirements(labels), requirementsOf(entriesOf(pool)), NO_LABELS) === undefined;
}

const NO_LABELS: ReadonlySet<string> = new Set();

/** Pools are replaced in parallel, so the slowest one counts. */
function durationOf(
  { effect }: ObjectChange,
  affected: readonly NodeFacts[],
  own: readonly NodeFacts[],
  pools: readonly PacedPool[],
  moment: Moment,
): bigint | null {
  if (affected.length === 0) return 0n;
  // Budgets apply neither to the deletion of a pool nor to fewer replicas.
  if (effect === "removes-nodes") return nanoseconds(moment.nodeTime);
  const running = new Map(pools.map((pool) => [pool.name, pool.running]));
  let longest = 0;
  for (const [name, nodes] of Map.groupBy(affected, ({ nodePool }) => nodePool)) {
    const all = nodesOfPool(own, name).map(({ life }) => life);
    const { ends } = rolloutOfDrift(running.get(name) ?? {}, all, nodes.length, moment);
    if (ends === undefined) return null;
    longest = Math.max(longest, ends - moment.at);
  }
  return nanoseconds(longest);
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6));
}
