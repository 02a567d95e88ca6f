/** What a function or a plugin is to do about a guard (docs/guard.md#in-a-pipeline). */

export const GUARD_WISHES = ["deny", "audit", "withdraw", "off"] as const;

/** `off`: an earlier one is taken out, and none is made. */
export type GuardWish = (typeof GUARD_WISHES)[number];
