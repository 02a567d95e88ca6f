/** A fingerprint of what users change in an object: if it stays the same, no pass is needed. */
import type { LiveObject } from "../api/live-object.ts";

/** Without the status, which controllers write all the time. */
export function objectFingerprint({ metadata }: LiveObject): string {
  const { generation, resourceVersion, labels, annotations, deletionTimestamp, ownerReferences } = metadata;
  return JSON.stringify([generation ?? resourceVersion, labels, annotations, deletionTimestamp, ownerReferences]);
}
