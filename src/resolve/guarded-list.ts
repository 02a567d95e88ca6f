/** Splits the list of a raw NodePool into the entries of the policy and those of the pool. */
import {
  MAX_OWN_VALUES,
  MAX_REQUIREMENTS,
  MAX_VALUE_LENGTH,
  type NodeSelectorRequirement,
} from "../model/requirements/requirement.ts";
import { canonical, sameValue } from "../krm/values/canonical.ts";
import { fingerprint } from "../krm/values/fingerprint.ts";
import { isForgedAtPolicyEnd, POLICY_END, splitAtPolicyEnd } from "../model/requirements/policy-end.ts";

type Entries = readonly NodeSelectorRequirement[];

/** Every instance type has the label, but none has this value, so the pool gets no nodes (docs/design.md#bypass). */
export const BLOCKER: NodeSelectorRequirement = {
  key: "node.kubernetes.io/instance-type",
  operator: "In",
  values: ["blocked-by-autonodepolicy"],
};

/** The maximum of own entries beside the blocker and the mark. */
export const MAX_KEPT = MAX_REQUIREMENTS - 2;

/** The possible entries above the mark: the blocker alone if the list has no room for the policy. */
export function frontsOf(policy: Entries): readonly Entries[] {
  return [policy, [...policy, BLOCKER], [BLOCKER]];
}

/** The size of a pool's own part: each entry and label becomes at most one entry of a NodeClaim. */
export function ownCount(own: Entries, labels: Readonly<Record<string, string>>): number {
  return own.length + Object.keys(labels).length;
}

/** More values would exceed the API server's cost limit of CEL. */
export function hasFewValues(own: Entries, labels: Readonly<Record<string, string>>): boolean {
  const values = own.flatMap((entry) => entry.values ?? []);
  const isShort = (text: string): boolean => [...text].length <= MAX_VALUE_LENGTH;
  return values.length <= MAX_OWN_VALUES && [...values, ...Object.values(labels)].every(isShort);
}

/** What a rendered pool records of the entries that rendering put above the mark. */
export function recordOf(front: Entries): string {
  return fingerprint(canonical(front));
}

/**
 * The indexes of the entries that belong to the pool's author. Those above the mark belong to the policy if it puts
 * them there, or if they are recorded. A record is a hint only: the policy's entries are put above the mark in any case,
 * so a forged or missing one can make the list longer, never looser.
 *
 * @param record of the entries above the mark, as the pool carries it
 */
export function ownIndexes(entries: Entries, policy: Entries, record: unknown): number[] {
  const { front } = isForgedAtPolicyEnd(entries) ? { front: undefined } : splitAtPolicyEnd(entries);
  const isKnown =
    front !== undefined && (frontsOf(policy).some((one) => sameValue(front, one)) || record === recordOf(front));
  if (!isKnown && policy.length === 0) return [...entries.keys()];
  return entries.flatMap(({ key }, index) => (key === POLICY_END || (isKnown && index < front.length) ? [] : [index]));
}
