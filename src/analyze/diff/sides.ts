/** The objects and hosted clusters of both sides of a diff, matched with each other. */
import type { Profile } from "../../model/crds/profile.ts";
import type { Bundle } from "../../model/inputs/bundle.ts";
import type { KarpenterOptions } from "../../model/settings/karpenter-options.ts";
import { type EffectivePolicy, NO_POLICY } from "../../resolve/policy.ts";
import type { ResolvedPool } from "../../resolve/resolve-pool.ts";
import type { Settings } from "../../resolve/settings.ts";
import { type FieldPath, valueAt } from "../../krm/places/field-path.ts";
import { type KubeObject, idOf } from "../../model/objects/kube-object.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";
import type { Place } from "../../resolve/origin.ts";
import { groupOf, type UnknownValue } from "../../krm/places/resource.ts";
import type { Effect } from "./change-effect.ts";

/** An object with the origin of each of its fields, if it was written in a file. */
export interface SideObject {
  readonly object: KubeObject;
  /** The object with the fields that only its wrapper has; undefined if no wrapper was read. */
  readonly written?: KubeObject | undefined;
  /** Whether it is a raw object of Karpenter: its user data is compared, and its class affects the labels of nodes. */
  readonly asItStands?: boolean;
  /** The parts that placeholders without a value decide: what a change of them does is unknown. */
  readonly unknown?: readonly UnknownValue[] | undefined;
  /** The requirements of a NodePool's images; undefined if only the other side knows them. */
  readonly needs?: readonly PoolRequirement[] | undefined;
  /** The minDriftedBudget of the RenderConfig that it was rendered with. */
  readonly driftedFloor?: string | undefined;
  /** Whether a guard causes all differences, and not the author. */
  readonly isImposed?: boolean;
  readonly placeOf: (path: FieldPath) => Place | undefined;
}

export interface SideCluster {
  readonly hostedCluster: string | undefined;
  readonly objects: readonly SideObject[];
  /** Objects, such as `NodePool/web`, that this side could not render; `all` if it could render nothing. */
  readonly unsure: ReadonlySet<string> | "all";
  /** Undefined if this side has no policies, or they cannot be read. */
  readonly policySide?: PolicySide | undefined;
  /** The settings, if this side has the wrappers of the hosted cluster. */
  readonly settings?: Settings | undefined;
  /** The options that Karpenter runs with; undefined if this side cannot tell. */
  readonly karpenter?: KarpenterOptions | undefined;
  /** The input of the hosted cluster, if this side has its wrappers. */
  readonly bundle?: Bundle | undefined;
}

/** The policy of a hosted cluster, with the pools it applies to. */
export interface PolicySide {
  readonly policy: EffectivePolicy;
  readonly profile: Profile;
  /** Computed on demand. */
  readonly pools: () => readonly ResolvedPool[];
}

/** A hosted cluster on both sides. If a side lacks it, the side is empty. */
export interface ClusterPair {
  /** Present if several hosted clusters are compared. */
  readonly hostedCluster: string | undefined;
  readonly old: SideCluster;
  readonly now: SideCluster;
}

/** Undefined if the clusters cannot be matched. */
export function pairsOf(from: readonly SideCluster[], to: readonly SideCluster[]): ClusterPair[] | undefined {
  // A single cluster on each side is matched even if the names differ: an output folder has none.
  if (from.length < 2 && to.length < 2)
    return [{ hostedCluster: undefined, old: from[0] ?? NOTHING, now: to[0] ?? NOTHING }];
  if ([...from, ...to].some(({ hostedCluster }) => hostedCluster === undefined)) return undefined;
  const names = [...new Set([...from, ...to].flatMap(({ hostedCluster }) => hostedCluster ?? []))].toSorted();
  const [before, after] = [from, to].map((side) => new Map(side.map((one) => [one.hostedCluster, one])));
  return names.map((name) => ({
    hostedCluster: names.length > 1 ? name : undefined,
    old: before?.get(name) ?? NOTHING,
    now: after?.get(name) ?? NOTHING,
  }));
}

const NOTHING: SideCluster = {
  hostedCluster: undefined,
  objects: [],
  unsure: new Set(),
  policySide: { policy: NO_POLICY, profile: "hypershift", pools: () => [] },
};

interface Side<T> {
  readonly byId: ReadonlyMap<string, T>;
  /** The classes that pools reference, such as `EC2NodeClass/default`. */
  readonly usedClasses: ReadonlySet<string>;
  /** Undefined if the side lacks it. */
  readonly classFor: (pool: KubeObject) => T | undefined;
}

export interface Sides<T> {
  readonly before: Side<T>;
  readonly after: Side<T>;
}

export function sideBy<T extends { readonly object: KubeObject }>(objects: readonly T[]): Side<T> {
  const byId = new Map(objects.map((one) => [idIn(one.object), one]));
  const pools = objects.filter(({ object }) => object.kind === "NodePool");
  return {
    byId,
    usedClasses: new Set(pools.map(({ object }) => classOf(object))),
    classFor: (pool) => byId.get(`${classOf(pool)}/${String(valueAt(pool, [...CLASS_REF, "group"]))}`),
  };
}

/** Includes the group, because another provider's class may have the same kind. */
export function idIn(object: Pick<KubeObject, "apiVersion" | "kind" | "metadata">): string {
  return `${idOf(object)}/${groupOf(object.apiVersion)}`;
}

/** The node class that a pool references, such as `EC2NodeClass/default`. */
export function classOf(pool: KubeObject): string {
  const [kind, name] = ["kind", "name"].map((part) => valueAt(pool, [...CLASS_REF, part]));
  return `${String(kind ?? "EC2NodeClass")}/${String(name)}`;
}

const CLASS_REF: FieldPath = ["spec", "template", "spec", "nodeClassRef"];

/** Whether it is a node class of any provider. */
export function isClassKind(kind: string): boolean {
  return kind.endsWith("NodeClass");
}

type Named = Pick<KubeObject, "kind"> & { readonly name: string };

/** A class has no effect until a pool references it. Pools that did so before get nodes now. */
export function effectOfAdding({ kind, name }: Named, { before, after }: Sides<unknown>): Effect {
  if (kind === "NodePool") return "new-nodes";
  if (!isClassKind(kind)) return "behavioural";
  const isUsed = ({ usedClasses }: Side<unknown>) => usedClasses.has(`${kind}/${name}`);
  return isUsed(before) && isUsed(after) ? "new-nodes" : "none";
}

/**
 * Karpenter deletes the NodeClaims of a pool with it. A class that pools still name stays, being deleted, until its
 * last NodeClaim is gone (provider, pkg/controllers/nodeclass/controller.go, finalize); its pools get no new nodes
 * meanwhile (NodeClassTerminating, pkg/controllers/nodepool/readiness).
 */
export function effectOfRemoving({ kind, name }: Named, { after }: Sides<unknown>): Effect {
  if (kind === "NodePool") return "removes-nodes";
  if (!isClassKind(kind)) return "behavioural";
  if (!after.usedClasses.has(`${kind}/${name}`)) return "none";
  return kind === "EC2NodeClass" ? "new-nodes" : "unknown";
}
