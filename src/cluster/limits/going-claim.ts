/** Whether a NodeClaim is on its way out already, as far as the claim itself tells. */
import type { LiveObject } from "../api/live-object.ts";

/**
 * Karpenter writes the second before it launches a replacement, and takes it back when it gives up
 * (docs/upstream/karpenter.md#nodeclaims).
 */
const GOING = ["InstanceTerminating", "DisruptionReason"];

export function isGoing({ metadata, status }: LiveObject): boolean {
  const conditions = (status?.["conditions"] ?? []) as readonly { type?: unknown; status?: unknown }[];
  return (
    metadata.deletionTimestamp !== undefined ||
    conditions.some(({ type, status: is }) => is === "True" && GOING.includes(String(type)))
  );
}
