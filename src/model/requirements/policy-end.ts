/** The mark in a guarded NodePool's requirements: entries above it belong to the policy. */
import { sameValue } from "../../krm/values/canonical.ts";
import type { NodeSelectorRequirement } from "./requirement.ts";

/**
 * Karpenter ignores it: no instance type and no pod has the label
 * (docs/upstream/karpenter.md#an-entry-that-asks-for-nothing).
 */
export const POLICY_END = "anp.hypershift.openshift.io/policy-end";

export const POLICY_END_ENTRY: NodeSelectorRequirement = { key: POLICY_END, operator: "DoesNotExist" };

export interface GuardedParts<T> {
  /** Policy entries, and the blocker if the pool would bypass them; undefined without a mark. */
  readonly front: readonly T[] | undefined;
  readonly own: readonly T[];
}

/** A list with several marks, or with a mark that asks for something: no guard and no rendering wrote it. */
export function isForgedAtPolicyEnd(entries: readonly NodeSelectorRequirement[]): boolean {
  const marks = entries.filter(({ key }) => key === POLICY_END);
  return marks.length > 1 || marks.some((mark) => !sameValue(mark, POLICY_END_ENTRY));
}

/** Splits a list at its first mark. The guard refuses a second one. */
export function splitAtPolicyEnd<T extends { readonly key?: unknown }>(entries: readonly T[]): GuardedParts<T> {
  const end = entries.findIndex(({ key }) => key === POLICY_END);
  return end === -1
    ? { front: undefined, own: entries }
    : { front: entries.slice(0, end), own: entries.slice(end + 1) };
}
