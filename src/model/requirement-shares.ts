/** The maximum numbers of requirements of a policy and of a pool. */

/**
 * Entries of an AutoNodePolicy. A NodeClaim holds 100: these, `OWN_SHARE`, the mark of a guard, and the four that
 * Karpenter adds (docs/upstream/karpenter.md#requirements-of-a-pool). A NodePool holds 100 as well, and only needs room
 * for the mark and the blocker.
 */
export const POLICY_SHARE = 40;

/** Entries of a pool's own and labels of its template: each becomes at most one entry of a NodeClaim. */
export const OWN_SHARE = 55;

/**
 * Karpenter refuses longer values, because no label can have them (docs/upstream/karpenter.md#validation-at-run-time).
 */
export const MAX_VALUE_LENGTH = 63;

/** Values of all own entries of a pool: one and a half times the number of Amazon EC2's instance types. */
export const MAX_OWN_VALUES = 2000;
