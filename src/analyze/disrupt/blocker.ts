/** A reason why Karpenter does not take a node now: its code, words, object and end. */

/**
 * Why Karpenter leaves a node. Codes with an event of Karpenter are the ids of its message in karpenter/events/messages.ts;
 * of the others (`SILENT_CODES`) Karpenter says nothing.
 */
export interface Blocker {
  readonly code: BlockerCode;
  /** A sentence without its end: `its pod shop/db-0 has karpenter.sh/do-not-disrupt`. */
  readonly message: string;
  /** The object that has to change: `Pod shop/db-0`, `NodePool web`. */
  readonly resource: string;
  /** Milliseconds since 1970 at which it ends by itself; undefined if it does not, or at an unknown time. */
  readonly until: number | undefined;
  /** What ends it otherwise; undefined if nothing has to change. */
  readonly change: string | undefined;
  /** The pod that holds the node, `namespace/name`, if it is one. */
  readonly pod?: string;
}

/** Blockers of which Karpenter makes no event. */
export const SILENT_CODES = [
  "static-pool",
  "not-empty",
  "empty",
  "consolidate-after",
  "not-drifted",
  "not-expired",
  "never-expires",
  "repair-off",
  "repair-unknown",
  "healthy",
  "unhealthy-tolerated",
  "budget-used",
  "surplus-replicas",
  "pods-do-not-fit",
  "score-too-low",
] as const;

export const EVENT_CODES = [
  "node-not-of-karpenter",
  "node-not-initialized",
  "node-is-going",
  "node-nominated",
  "node-do-not-disrupt",
  "pool-not-found",
  "pod-do-not-disrupt",
  "pdb-blocks",
  "several-pdbs",
  "type-not-found",
  "node-label-missing",
  "consolidation-off",
  "only-empty-consolidated",
  "buffer-pods",
  "budget-blocks",
  "static-at-limit",
  "repair-without-pool",
  "repair-blocked",
  "repair-unhealthy-share",
  "no-pools",
  "waits-for-node",
  "needs-more-nodes",
  "not-cheaper",
  "price-filter",
  "spot-to-spot-off",
  "spot-to-spot-few-types",
] as const;

export type BlockerCode = (typeof SILENT_CODES)[number] | (typeof EVENT_CODES)[number];

/** The reasons for which a node goes. Expiration is no voluntary disruption: only the age of the node counts. */
export const LEAVING_REASONS = ["Empty", "Drifted", "Underutilized", "Unhealthy", "Expired"] as const;

export type LeavingReason = (typeof LEAVING_REASONS)[number];

/** @param more when it ends by itself, and what ends it otherwise */
export function blocker(
  code: BlockerCode,
  resource: string,
  message: string,
  { until, change }: { readonly until?: number | undefined; readonly change?: string | undefined } = {},
): Blocker {
  return { code, message, resource, until, change };
}
