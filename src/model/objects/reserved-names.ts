/** The names of the admission policies and bindings that anp renders, and of those of guards. */

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

/** The names of the objects of a guard end in it. */
export const GUARD_DOMAIN = "guard.anp.hypershift.openshift.io";

/** Whether a policy or binding in the API has a name that only the guards of anp use. */
export function isGuardName(name: string): boolean {
  return name.endsWith(`.${GUARD_DOMAIN}`);
}
