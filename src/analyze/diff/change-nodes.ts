/** How many nodes a change replaces, and how long that takes at least. */
import { compatible, labelRequirements, requirementsOf } from "../../karpenter/requirements/requirements.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { REPLACING, worstEffect } from "./change-effect.ts";
import { entriesOf } from "./change-node-pool.ts";
import type { ObjectChange } from "./compare-objects.ts";
import { classOf, isClassKind } from "./sides-by-id.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import { rollOfDrift } from "../running/settles.ts";
import type { RunningPool } from "../running/stay.ts";

export interface NodeCounts {
  /** Nodes of the pool, or of the pools that use the class. */
  readonly total: number | null;
  /** Null where only Karpenter can tell, which resolves subnets and images. */
  readonly affected: number | null;
  /** Of those that are affected; null where nobody can tell which they are. */
  readonly names: readonly string[] | null;
  /** Nanoseconds; null where nobody can tell, or the budgets let none go. */
  readonly minDuration: bigint | null;
}

export const UNKNOWN_NODES: NodeCounts = { total: null, affected: null, names: null, minDuration: null };

interface Known {
  readonly nodes: readonly NodeFacts[];
  /** The pools of both sides by name, the new one where there are two. */
  readonly pools: ReadonlyMap<string, KubeObject>;
}

export interface Pacing {
  /** By name: what decides how fast their nodes go. */
  readonly running: ReadonlyMap<string, RunningPool>;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds that one node is assumed to take. */
  readonly nodeTime: number;
}

export interface ChangedNodes {
  /** Nodes of the pool, or of the pools that use the class. */
  readonly own: readonly NodeFacts[];
  /** Undefined where only Karpenter can tell. */
  readonly affected: readonly NodeFacts[] | undefined;
}

export function changedNodes(change: ObjectChange, known: Known): ChangedNodes {
  const { kind, name } = change.resource;
  if (kind !== "NodePool" && !isClassKind(kind)) return { own: [], affected: [] };
  const own = known.nodes.filter((node) =>
    kind === "NodePool" ? node.nodePool === name : isOfClass(node, { kind, name }, known),
  );
  return { own, affected: own.length === 0 ? [] : affectedOf(change, own) };
}

export function countNodes(change: ObjectChange, { own, affected }: ChangedNodes, pacing: Pacing): NodeCounts {
  const total = own.length;
  if (affected === undefined) return { ...UNKNOWN_NODES, total };
  const names = isAnyOf(change) ? null : affected.map((node) => node.name);
  return { total, affected: affected.length, names, minDuration: durationOf(change, affected, own, pacing) };
}

/**
 * A node that is of no type which the catalogue knows, or was made before the pool became what it is, may drift where
 * none of the catalogue's would: then the change replaces it.
 */
export function asNodesTell<C extends ObjectChange>(change: C, nodes: readonly NodeFacts[]): C {
  const { scope, effect, before, after, resource } = change;
  if (scope !== "catalogue" || REPLACING.has(effect)) return change;
  const own = nodes.filter(({ nodePool }) => nodePool === resource.name);
  const drifting = own.some((node) => drifts(node, after) && !drifts(node, before));
  return drifting ? { ...change, effect: "replaces-some" } : change;
}

/** Fewer replicas: which of its nodes go Karpenter decides. */
function isAnyOf({ effect, after }: ObjectChange): boolean {
  return effect === "removes-nodes" && after !== undefined;
}

/** A node says the name of its class; of which kind it is says its pool. */
function isOfClass(
  node: NodeFacts,
  { kind, name }: { kind: string; name: string },
  { pools }: Pick<Known, "pools">,
): boolean {
  const pool = pools.get(node.nodePool);
  const [kindOfPool = "EC2NodeClass", nameOfPool] = pool === undefined ? [] : classOf(pool).split("/");
  return kindOfPool === kind && (node.nodeClass ?? nameOfPool) === name;
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
      // So it is of the types that a catalogue knows, and the nodes themselves tell.
      return change.scope === "catalogue" ? own.filter((node) => drifts(node, after)) : own;
    case "removes-nodes": {
      if (after === undefined) return own;
      // Fewer replicas: what goes for them may be what drifts as well.
      const rest = worstEffect(fields.map((field) => field.effect).filter((one) => one !== effect));
      const others = affectedOf({ ...change, effect: rest }, own) ?? [];
      const surplus = own.length - Number(valueAt(after, ["spec", "replicas"]));
      return own.slice(0, Math.max(others.length, surplus, 0));
    }
  }
}

/**
 * Karpenter's own question: do the labels of the NodeClaim, and nothing else, meet the requirements
 * (docs/upstream/karpenter.md#drift)?
 */
function drifts({ labels }: NodeFacts, pool: KubeObject | undefined): boolean {
  return compatible(labelRequirements(labels), requirementsOf(entriesOf(pool)), NO_LABELS) !== undefined;
}

const NO_LABELS: ReadonlySet<string> = new Set();

/** Pools go on side by side: the slowest counts. */
function durationOf(
  { effect }: ObjectChange,
  affected: readonly NodeFacts[],
  own: readonly NodeFacts[],
  { running, at, nodeTime }: Pacing,
): bigint | null {
  if (affected.length === 0) return 0n;
  // Neither deleting a pool nor fewer replicas ask a budget.
  if (effect === "removes-nodes") return nanoseconds(nodeTime);
  let longest = 0;
  for (const [name, nodes] of Map.groupBy(affected, ({ nodePool }) => nodePool)) {
    const all = own.filter(({ nodePool }) => nodePool === name).map(({ life }) => life);
    const { ends } = rollOfDrift(running.get(name) ?? {}, all, nodes.length, { at, nodeTime });
    if (ends === undefined) return null;
    longest = Math.max(longest, ends - at);
  }
  return nanoseconds(longest);
}

function nanoseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds * 1e6));
}
