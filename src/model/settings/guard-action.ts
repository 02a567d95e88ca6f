/** What a KRM function or an Argo CD plugin does about a guard (docs/guard.md#in-a-pipeline). */

export const GUARD_ACTIONS = ["deny", "audit", "withdraw", "off"] as const;

/** `off`: removes an earlier guard, and makes none. */
export type GuardAction = (typeof GUARD_ACTIONS)[number];
