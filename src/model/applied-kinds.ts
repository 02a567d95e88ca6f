/** The kinds that anp renders, in the order of applying, and the wrapper that each is made of. */
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../krm/known-kinds.ts";

export const ADMISSION_GROUP = "admissionregistration.k8s.io";

export interface AppliedKind {
  readonly group: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** A wrapper and what is made of it have one name. Guards are made of none. */
  readonly wrapper: "OpenshiftEC2NodeClass" | "OpenshiftNodePool" | undefined;
}

function appliedKindOf(group: string, kind: string, plural: string, wrapper: AppliedKind["wrapper"]): AppliedKind {
  return { group, apiVersion: `${group}/v1`, kind, plural, wrapper };
}

/** Guards before what they guard, classes before the pools that name them. */
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

/** When it is applied; -1 for a kind that anp does not apply. */
export function rankOf(kind: string): number {
  return APPLIED_KINDS.findIndex((applied) => applied.kind === kind);
}

/** Undefined for a kind that is made of no wrapper. */
export function wrapperKindOf(kind: string): string | undefined {
  return BY_KIND.get(kind)?.wrapper;
}

/** `OpenshiftNodePool/web` of the NodePool web. */
export function wrapperIdOf(kind: string, name: string): string | undefined {
  const wrapper = wrapperKindOf(kind);
  return wrapper === undefined ? undefined : `${wrapper}/${name}`;
}

/** `NodePool/web` of the OpenshiftNodePool web. */
export function renderedIdOf(wrapper: string, name: string): string {
  return `${BY_WRAPPER.get(wrapper)?.kind}/${name}`;
}
