/** The labels and annotations that show users and other watches which watch applied an object. */
import { createHash } from "node:crypto";
import { canonical } from "../../krm/values/canonical.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { carriesMarks } from "../../model/objects/marks.ts";
import { fieldOwners } from "./field-owners.ts";
import type { LiveObject, OwnerReference } from "../api/live-object.ts";

/** On each object that a watch applies, and on its inventory. */
const SET_LABEL = "anp.hypershift.openshift.io/set";
export const APPLIED_ANNOTATION = "anp.hypershift.openshift.io/applied";

/** Each hosted cluster and watch name has a set of its own, so that two watches do not change each other's objects. */
export function setIdOf(hostedCluster: string, watchName: string): string {
  return digest(`${hostedCluster}/${watchName}`).slice(0, 40);
}

/**
 * The object as it is applied: with the label of the set, and with a hash of itself, which shows whether anp or another
 * writer changed it. These marks inform users and other watches. Only the inventory decides which objects are anp's.
 */
export function asMember(object: KubeObject, setId: string): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const marked = { ...object, metadata: { ...metadata, labels: { ...labels, [SET_LABEL]: setId }, annotations } };
  const hash = digest(canonical(marked)).slice(0, 16);
  return { ...marked, metadata: { ...marked.metadata, annotations: { ...annotations, [APPLIED_ANNOTATION]: hash } } };
}

/** Whether this watch applied it in this form and no other anp has applied it since, by its marks. */
export function isAsApplied(live: LiveObject, object: KubeObject): boolean {
  const setOf = ({ metadata }: Pick<KubeObject, "metadata">) => metadata.labels?.[SET_LABEL];
  return (
    live.metadata.name === object.metadata.name &&
    setOf(live) === setOf(object) &&
    appliedHashOf(live) === appliedHashOf(object)
  );
}

/** Selects all objects of the same set. */
export function selectorOfSet({ metadata }: KubeObject): string {
  return `${SET_LABEL}=${metadata.labels?.[SET_LABEL]}`;
}

/** The object as it is rendered, without the label and the annotation of the set. */
export function withoutSet(object: KubeObject): KubeObject {
  const { [SET_LABEL]: _set, ...labels } = object.metadata.labels ?? {};
  const { [APPLIED_ANNOTATION]: _hash, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, labels, annotations } };
}

/** By its labels alone, which any user may write. */
export function carriesOurSet(live: LiveObject, setId: string): boolean {
  return carriesMarks(live) && live.metadata.labels?.[SET_LABEL] === setId;
}

/** Ownership without an inventory: the marks, the set, and a spec that anp applied. */
export function isMemberByMarks(live: LiveObject, setId: string): boolean {
  return carriesOurSet(live, setId) && fieldOwners(live).isOurs(["spec"]);
}

/** The set of another watch, by its labels. */
export function otherSetOf(live: LiveObject, setId: string): string | undefined {
  const set = live.metadata.labels?.[SET_LABEL];
  return carriesMarks(live) && set !== setId ? set : undefined;
}

/** Of the object as an anp applied it last. */
export function appliedHashOf({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.annotations?.[APPLIED_ANNOTATION];
}

/**
 * HyperShift's operator owns the objects that it makes of wrappers: node classes, and pools if it makes those
 * (docs/upstream/hypershift.md#openshiftnodepool).
 * Only for objects that the inventory does not list: any user may add an owner to an object that anp applies.
 */
export function isManagedByOperator(live: LiveObject): boolean {
  return operatorsReference(live) !== undefined && !fieldOwners(live).isOurs(["spec"]);
}

/** For objects that the inventory lists under another uid: a restored backup refers to the uid of an earlier wrapper. */
export function isMadeByOperator(live: LiveObject, wrapperUid: string | undefined): boolean {
  return wrapperUid !== undefined && operatorsReference(live)?.uid === wrapperUid;
}

function operatorsReference({ kind, metadata }: LiveObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(
    ({ apiVersion, controller, kind: of, name }) =>
      controller === true &&
      of === `Openshift${kind}` &&
      name === metadata.name &&
      apiVersion.startsWith(`${HYPERSHIFT_KARPENTER_GROUP}/`),
  );
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
