/** The pools that a change affects, with the settings that decide how their nodes are replaced. */
import { nodeLimitOf } from "../../karpenter/disruption/node-limit.ts";
import { isFields } from "../../krm/values/fields.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import { DO_NOT_DISRUPT } from "../nodes/node-life.ts";
import type { NodeFacts } from "../nodes/node-data.ts";
import { textAt } from "../../krm/places/text-at.ts";
import type { ConvergingNodes } from "../running/convergence.ts";
import type { RunningPool } from "../running/node-lifetime.ts";
import { budgetsOf } from "./change-node-pool.ts";
import { type ChangedNodes, nodesOfPool } from "./change-nodes.ts";
import type { ObjectChange } from "./compare-objects.ts";
import { type ClusterPair, type SideCluster, type SideObject, classOf, isClassKind } from "./sides.ts";

export interface ChangedPool {
  readonly name: string;
  /** Undefined if the pool is new. */
  readonly old: SideObject | undefined;
  /** Undefined if the pool was removed. */
  readonly now: SideObject | undefined;
  readonly running: RunningPool;
  /** Undefined if the nodes are unknown. */
  readonly nodes: ConvergingNodes | undefined;
}

/** The pools of one hosted cluster by name. */
export interface ClusterPools {
  readonly old: ReadonlyMap<string, SideObject>;
  readonly now: ReadonlyMap<string, SideObject>;
  /** The pools of both sides; the new one if both have it. */
  readonly all: ReadonlyMap<string, KubeObject>;
  /** The pools of the new side by their node class. */
  readonly byClass: ReadonlyMap<string, readonly string[]>;
  readonly karpenter: SideCluster["karpenter"];
}

/** Indexes the pools of both sides. */
export function clusterPools({ old: before, now: after }: Pick<ClusterPair, "old" | "now">): ClusterPools {
  const byName = ({ objects }: SideCluster) =>
    new Map(
      objects.filter(({ object }) => object.kind === "NodePool").map((one) => [one.object.metadata.name, one] as const),
    );
  const [old, now] = [byName(before), byName(after)];
  const all = new Map([...old, ...now].map(([name, { object }]) => [name, object]));
  const byClass = Map.groupBy(now.keys(), (name) => classOf(now.get(name)!.object));
  return { old, now, all, byClass, karpenter: after.karpenter };
}

/**
 * The changed pool itself, or the pools of the new side that use the changed class.
 *
 * @param changed undefined if the nodes are unknown
 */
export function changedPools(
  { resource: { kind, name } }: ObjectChange,
  { old, now, byClass, karpenter }: ClusterPools,
  changed: ChangedNodes | undefined,
): ChangedPool[] {
  const names = kind === "NodePool" ? [name] : isClassKind(kind) ? (byClass.get(`${kind}/${name}`) ?? []) : [];
  return names.map((pool) => {
    const [before, after] = [old.get(pool), now.get(pool)];
    const running = runningPoolOf((before ?? after)!, after, karpenter);
    return { name: pool, old: before, now: after, running, nodes: changed && convergingNodes(pool, changed) };
  });
}

function convergingNodes(pool: string, { own, affected }: ChangedNodes): ConvergingNodes {
  const livesOf = (nodes: readonly NodeFacts[]) => nodesOfPool(nodes, pool).map(({ life }) => life);
  return { all: livesOf(own), affected: livesOf(affected ?? own), sure: affected !== undefined };
}

const TEMPLATE: FieldPath = ["spec", "template"];

/**
 * Nodes keep the lifetime of the template that they were created from. All other settings are those of the pool now
 * (docs/upstream/karpenter.md#how-long-nodes-stay).
 *
 * @param origin the pool that created the nodes
 * @param now undefined if it was removed
 */
export function runningPoolOf(
  origin: SideObject,
  now: SideObject = origin,
  karpenter?: SideCluster["karpenter"],
): RunningPool {
  const of = (part: FieldPath) => textAt(origin.object, [...TEMPLATE, ...part]);
  const settings = now.written ?? now.object;
  const limits = valueAt(settings, ["spec", "limits"]);
  const replicas = valueAt(settings, ["spec", "replicas"]);
  return {
    expireAfter: of(["spec", "expireAfter"]),
    terminationGracePeriod: of(["spec", "terminationGracePeriod"]),
    doNotDisrupt: of(["metadata", "annotations", DO_NOT_DISRUPT]) === "true",
    hasDrainEnd: of(["metadata", "annotations", TERMINATION_TIMESTAMP]) !== undefined,
    budgets: budgetsOf(settings),
    limit: nodeLimitOf(
      isFields(limits) ? (limits as Record<string, string>) : undefined,
      limitMode(now),
      now.driftedFloor,
    ),
    replicas: typeof replicas === "number" ? replicas : undefined,
    terminatesFirst: karpenter?.gates.has("TerminateFirstDrift"),
  };
}

/** The limit of a wrapper is Hard by default. Any other limit is Soft (docs/upstream/karpenter.md#node-limits). */
function limitMode({ written }: SideObject): "Hard" | "Soft" {
  if (written === undefined) return "Soft";
  return valueAt(written, ["spec", "disruption", "nodeLimitMode"]) === "Soft" ? "Soft" : "Hard";
}
