/** What anp needs of a guest cluster's object: the rest may be large, and goes with its page. */
import type { LiveObject } from "../api/live-object.ts";

/** Marks and orders that somebody reads; any other annotation is none of ours. */
const NEEDED = /^(?:anp\.hypershift\.openshift\.io\/|cli-utils\.sigs\.k8s\.io\/|client\.lifecycle\.config\.k8s\.io\/)/;

/** Of what anp applies: who owns which fields as well. */
export function neededOfApplied(object: LiveObject): LiveObject {
  const { annotations } = object.metadata;
  if (annotations === undefined) return object;
  const needed = Object.entries(annotations).filter(([key]) => NEEDED.test(key));
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(needed) } };
}

/** Of a wrapper neither annotations nor who owns its fields count for anything. */
export function neededOfWrapper(object: LiveObject): LiveObject {
  const { annotations: _notes, managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Of what is only counted and looked at. */
export function withoutOwners(object: LiveObject): LiveObject {
  const { managedFields: _owners, ...metadata } = object.metadata;
  return { ...object, metadata };
}
