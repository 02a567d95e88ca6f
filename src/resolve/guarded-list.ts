/** Defines the entries that a guard adds to a pool, and the limits of the pool's own part. */
import {
  MAX_OWN_VALUES,
  MAX_REQUIREMENTS,
  MAX_VALUE_LENGTH,
  type NodeSelectorRequirement,
} from "../model/requirements/requirement.ts";
import { BLOCKER } from "./resolve-pool.ts";

type Entries = readonly NodeSelectorRequirement[];

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
