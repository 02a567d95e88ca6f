/** Which live objects belong to a watch: our marks and the label of the set say so. */
import { createHash } from "node:crypto";
import { canonical } from "../../analyze/compare-canonical.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/known-kinds.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { carriesMarks } from "../../model/marks.ts";
import { fieldOwners } from "./field-owners.ts";
import type { LiveObject } from "../api/live-object.ts";

const SET_LABEL = "anp.hypershift.openshift.io/set";
export const APPLIED_ANNOTATION = "anp.hypershift.openshift.io/applied";

/** Two watches never touch each other's objects: the set is of one hosted cluster and one watch name. */
export function setIdOf(hostedCluster: string, watchName: string): string {
  return digest(`${hostedCluster}/${watchName}`).slice(0, 40);
}

/** The object as it is applied: in the set, and with a hash of itself, which tells a change of ours from one of others. */
export function asMember(object: KubeObject, setId: string): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const marked = { ...object, metadata: { ...metadata, labels: { ...labels, [SET_LABEL]: setId }, annotations } };
  const hash = digest(canonical(marked)).slice(0, 16);
  return { ...marked, metadata: { ...marked.metadata, annotations: { ...annotations, [APPLIED_ANNOTATION]: hash } } };
}

/** The object as it is rendered: what a watch writes of itself is left out. */
export function withoutSet(object: KubeObject): KubeObject {
  const { [SET_LABEL]: _set, ...labels } = object.metadata.labels ?? {};
  const { [APPLIED_ANNOTATION]: _hash, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, labels, annotations } };
}

/**
 * - `member`: marks and set are ours
 * - `stripped`: anp applied it, and somebody took marks or set away since. Anybody may change labels of a guarded
 *   object, so this must not be a way out of the policy; but such an object is never deleted
 * - `foreign`: somebody else's, or another watch's
 */
export type Membership = "member" | "stripped" | "foreign";

export function membershipOf(live: LiveObject, setId: string): Membership {
  const { isOurs } = fieldOwners(live);
  // Anybody may write labels: what anp has never applied is not anp's, whatever it says of itself.
  if (carriesMarks(live) && live.metadata.labels?.[SET_LABEL] === setId) return isOurs(["spec"]) ? "member" : "foreign";
  const labelledByUs = isOurs(["metadata", "labels", SET_LABEL]) && live.metadata.labels?.[SET_LABEL] !== setId;
  return isOurs(["spec"]) && !labelledByUs ? "stripped" : "foreign";
}

/** HyperShift's operator owns what it makes of wrappers: node classes, and pools where it makes those too (hypershift.md 2, 4). */
export function isManagedByOperator(live: LiveObject): boolean {
  const { kind, metadata } = live;
  const owners = metadata.ownerReferences ?? [];
  const owned = owners.some(
    ({ apiVersion, controller, kind: of, name }) =>
      controller === true &&
      of === `Openshift${kind}` &&
      name === metadata.name &&
      apiVersion.startsWith(`${HYPERSHIFT_KARPENTER_GROUP}/`),
  );
  // Anybody may write an owner into what anp applies.
  return owned && !fieldOwners(live).isOurs(["spec"]);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
