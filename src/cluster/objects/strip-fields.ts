/** The fields of listed objects that anp needs, and a fingerprint of those that users change. */
import type { LiveObject } from "../api/live-object.ts";

/** Annotations that anp reads. */
const NEEDED = /^(?:anp\.hypershift\.openshift\.io\/|cli-utils\.sigs\.k8s\.io\/|client\.lifecycle\.config\.k8s\.io\/)/;

/** Keeps managedFields, which show the owners of fields. */
export function stripApplied(object: LiveObject): LiveObject {
  const { annotations } = object.metadata;
  if (annotations === undefined) return object;
  const needed = Object.entries(annotations).filter(([key]) => NEEDED.test(key));
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(needed) } };
}

/** anp reads neither annotations nor managedFields of wrappers. */
export function stripWrapper(object: LiveObject): LiveObject {
  const { annotations: _notes, managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** For objects that anp only counts and reads. */
export function stripManagedFields(object: LiveObject): LiveObject {
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Without the status, which controllers write all the time. */
export function objectFingerprint({ metadata }: LiveObject): string {
  const { generation, resourceVersion, labels, annotations, deletionTimestamp, ownerReferences } = metadata;
  return JSON.stringify([generation ?? resourceVersion, labels, annotations, deletionTimestamp, ownerReferences]);
}
