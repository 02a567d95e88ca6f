/** Recognises objects that HyperShift's operator made of a wrapper, by their owner references. */
import { HYPERSHIFT_KARPENTER_GROUP } from "../krm/known-kinds.ts";
import { groupOf, type Resource } from "../krm/resource.ts";
import { wrapperIdOf } from "./applied-kinds.ts";

/**
 * `OpenshiftNodePool/web`: the operator owns the objects that it makes (docs/upstream/hypershift.md#openshiftnodepool).
 */
export function owningWrapper(value: Resource["value"]): string | undefined {
  const { ownerReferences } = (value["metadata"] ?? {}) as { ownerReferences?: unknown };
  if (!Array.isArray(ownerReferences)) return undefined;
  for (const owner of ownerReferences as readonly unknown[]) {
    const { apiVersion, kind, name } = (owner ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof apiVersion !== "string" || groupOf(apiVersion) !== HYPERSHIFT_KARPENTER_GROUP) continue;
    if (kind === "OpenshiftNodePool" || kind === "OpenshiftEC2NodeClass") return `${kind}/${String(name)}`;
  }
  return undefined;
}

/**
 * Whether the owner is the wrapper of the same name. Any user can write such a reference
 * (docs/design.md#raw-objects-and-marks).
 */
export function saysOperatorMadeIt({ kind, name, value }: Resource): boolean {
  const owner = owningWrapper(value);
  return owner !== undefined && owner === wrapperIdOf(kind, name);
}
