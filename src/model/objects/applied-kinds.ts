/** The kinds that anp renders, in the order of applying, and the wrapper of each. */
import { HYPERSHIFT_KARPENTER_GROUP, KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { groupOf, type Resource } from "../../krm/places/resource.ts";

export const ADMISSION_GROUP = "admissionregistration.k8s.io";

export interface AppliedKind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** An object has the name of its wrapper. Guards have no wrapper. */
  readonly wrapper: "OpenshiftEC2NodeClass" | "OpenshiftNodePool" | undefined;
}

function appliedKindOf(group: string, kind: string, plural: string, wrapper: AppliedKind["wrapper"]): AppliedKind {
  return { group, apiVersion: `${group}/v1`, kind, plural, wrapper };
}

/** Guards come before the objects that they guard, classes before the pools that name them. */
export const APPLIED_KINDS: readonly AppliedKind[] = [
  appliedKindOf(ADMISSION_GROUP, "ValidatingAdmissionPolicy", "validatingadmissionpolicies", undefined),
  appliedKindOf(ADMISSION_GROUP, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings", undefined),
  appliedKindOf(KARPENTER_AWS_GROUP, "EC2NodeClass", "ec2nodeclasses", "OpenshiftEC2NodeClass"),
  appliedKindOf(KARPENTER_GROUP, "NodePool", "nodepools", "OpenshiftNodePool"),
];

const BY_KIND = new Map(APPLIED_KINDS.map((applied) => [applied.kind, applied]));
const BY_WRAPPER = new Map(APPLIED_KINDS.map((applied) => [String(applied.wrapper), applied]));

export function isApplied(kind: string): boolean {
  return BY_KIND.has(kind);
}

/** @throws for a kind that anp does not apply */
export function appliedKind(kind: string): AppliedKind {
  const found = BY_KIND.get(kind);
  if (found === undefined) throw new Error(`anp does not apply ${kind}`);
  return found;
}

/** The place in the order of applying; -1 for a kind that anp does not apply. */
export function rankOf(kind: string): number {
  return APPLIED_KINDS.findIndex((applied) => applied.kind === kind);
}

/** Undefined for a kind without a wrapper. */
export function wrapperKindOf(kind: string): string | undefined {
  return BY_KIND.get(kind)?.wrapper;
}

/** `OpenshiftNodePool/web` for the NodePool web. */
export function wrapperIdOf(kind: string, name: string): string | undefined {
  const wrapper = wrapperKindOf(kind);
  return wrapper === undefined ? undefined : `${wrapper}/${name}`;
}

/** `NodePool/web` for the OpenshiftNodePool web. */
export function renderedIdOf(wrapper: string, name: string): string {
  return `${BY_WRAPPER.get(wrapper)?.kind}/${name}`;
}

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
