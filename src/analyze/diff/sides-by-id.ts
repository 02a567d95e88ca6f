/** The objects of both sides by kind and name, and the node classes in use there. */
import { type FieldPath, valueAt } from "../../krm/field-path.ts";
import { groupOf } from "../../krm/resource.ts";
import { idOf, type KubeObject } from "../../model/kube-object.ts";
import type { Effect } from "./change-effect.ts";

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
