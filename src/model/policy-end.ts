/** The mark in the requirements of a guarded NodePool: what stands above it is the policy's. */
import type { NodeSelectorRequirement } from "./requirement.ts";

/** Karpenter passes it by: a label that no instance type has, and none asks for (docs/upstream/karpenter.md#an-entry-that-asks-for-nothing). */
export const POLICY_END = "anp.hypershift.openshift.io/policy-end";

export const POLICY_END_ENTRY: NodeSelectorRequirement = { key: POLICY_END, operator: "DoesNotExist" };

export interface GuardedParts<T> {
  /** Policy entries, and the blocker where the pool would get round them; undefined where there is no mark. */
  readonly front: readonly T[] | undefined;
  readonly own: readonly T[];
}

/** A list at its first mark. Who writes a second one is refused by the guard, so that it never matters. */
export function splitAtPolicyEnd<T extends { readonly key?: unknown }>(entries: readonly T[]): GuardedParts<T> {
  const end = entries.findIndex(({ key }) => key === POLICY_END);
  return end === -1
    ? { front: undefined, own: entries }
    : { front: entries.slice(0, end), own: entries.slice(end + 1) };
}
