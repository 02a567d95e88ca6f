/** The names of the admission policies and bindings that anp renders. */

/** The kinds that the admission policies guard, without domain. */
export type Guarded = "ec2nodeclass" | "nodeclaim" | "nodepool" | "status";

export function admissionPolicyName(guarded: Guarded): string {
  return `karpenter.${guarded}.hypershift.io`;
}

export function admissionBindingName(guarded: Guarded): string {
  return `karpenter-binding.${guarded}.hypershift.io`;
}

const GUARDED: readonly Guarded[] = ["ec2nodeclass", "nodeclaim", "nodepool", "status"];

/** No other object may have one of them. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  GUARDED.flatMap((guarded) => [admissionPolicyName(guarded), admissionBindingName(guarded)]),
);
