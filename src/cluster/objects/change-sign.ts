/** What people change of an object in one text: two that are the same need no pass in between. */
import type { LiveObject } from "../api/live-object.ts";

/** Without its status, which programs write all the time. */
export function changeSign({ metadata }: LiveObject): string {
  const { generation, resourceVersion, labels, annotations, deletionTimestamp, ownerReferences } = metadata;
  return JSON.stringify([generation ?? resourceVersion, labels, annotations, deletionTimestamp, ownerReferences]);
}
