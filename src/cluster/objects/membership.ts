/** The marks of a watch on what it applies, for people and for other watches. */
import { createHash } from "node:crypto";
import { canonical } from "../../krm/canonical.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/known-kinds.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { carriesMarks } from "../../model/marks.ts";
import { fieldOwners } from "./field-owners.ts";
import type { LiveObject, OwnerReference } from "../api/live-object.ts";

/** Of all that a watch applies, and of its inventory. */
export const SET_LABEL = "anp.hypershift.openshift.io/set";
export const APPLIED_ANNOTATION = "anp.hypershift.openshift.io/applied";

/** Two watches never touch each other's objects: the set is of one hosted cluster and one watch name. */
export function setIdOf(hostedCluster: string, watchName: string): string {
  return digest(`${hostedCluster}/${watchName}`).slice(0, 40);
}

/**
 * The object as it is applied: in the set, and with a hash of itself, which tells a change of ours from one of others.
 * The marks tell people and other watches; whose an object is, the inventory says.
 */
export function asMember(object: KubeObject, setId: string): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const marked = { ...object, metadata: { ...metadata, labels: { ...labels, [SET_LABEL]: setId }, annotations } };
  const hash = digest(canonical(marked)).slice(0, 16);
  return { ...marked, metadata: { ...marked.metadata, annotations: { ...annotations, [APPLIED_ANNOTATION]: hash } } };
}

/** As far as its marks tell, it was applied so by this watch and changed by no other one since. */
export function isAsApplied(live: LiveObject, object: KubeObject): boolean {
  const setOf = ({ metadata }: Pick<KubeObject, "metadata">) => metadata.labels?.[SET_LABEL];
  return (
    live.metadata.name === object.metadata.name &&
    setOf(live) === setOf(object) &&
    appliedHashOf(live) === appliedHashOf(object)
  );
}

/** All of the set of an object as it is applied. */
export function selectorOfSet({ metadata }: KubeObject): string {
  return `${SET_LABEL}=${metadata.labels?.[SET_LABEL]}`;
}

/** The object as it is rendered: what a watch writes of itself is left out. */
export function withoutSet(object: KubeObject): KubeObject {
  const { [SET_LABEL]: _set, ...labels } = object.metadata.labels ?? {};
  const { [APPLIED_ANNOTATION]: _hash, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, labels, annotations } };
}

/** It says so itself, and anybody may write labels. */
export function carriesOurSet(live: LiveObject, setId: string): boolean {
  return carriesMarks(live) && live.metadata.labels?.[SET_LABEL] === setId;
}

/** What anp went by before there was an inventory: marks and set, and that anp applied the spec. */
export function isMemberByMarks(live: LiveObject, setId: string): boolean {
  return carriesOurSet(live, setId) && fieldOwners(live).isOurs(["spec"]);
}

/** That of another watch, as far as labels tell. */
export function otherSetOf(live: LiveObject, setId: string): string | undefined {
  const set = live.metadata.labels?.[SET_LABEL];
  return carriesMarks(live) && set !== setId ? set : undefined;
}

/** Of the object as some anp applied it. */
export function appliedHashOf({ metadata }: Pick<KubeObject, "metadata">): string | undefined {
  return metadata.annotations?.[APPLIED_ANNOTATION];
}

/**
 * HyperShift's operator owns what it makes of wrappers: node classes, and pools where it makes those too
 * (docs/upstream/hypershift.md#openshiftnodepool).
 * Asked only of what the inventory does not know: anybody may write an owner into what anp applies.
 */
export function isManagedByOperator(live: LiveObject): boolean {
  return operatorsReference(live) !== undefined && !fieldOwners(live).isOurs(["spec"]);
}

/** Of what the inventory knows by name alone: a backup has the owner that somebody wrote there, but not the wrapper of today. */
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
