/** Writes one object of a plan: creates it, applies it, or replaces its whole spec. */
import type { KubeObject } from "../../model/objects/kube-object.ts";
import { appliedKind } from "../../model/objects/applied-kinds.ts";
import { type Answer, failed, localError, succeeded } from "../api/api-answer.ts";
import { type ClusterApi, FIELD_MANAGER, type WriteOptions } from "../api/cluster-api.ts";
import { identityOf, type LiveObject, type ManagedFieldsEntry } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import type { ServedKind } from "../api/served-kind.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";
import { APPLIED_ANNOTATION, isAsApplied, selectorOfSet } from "../objects/membership.ts";
import { stripApplied } from "../objects/strip-fields.ts";
import type { Step } from "../plan/step.ts";

/** @param step with a desired object */
export async function writeObject(
  { kind: name, desired, live, whole }: Step,
  api: ClusterApi,
  { dryRun }: WriteOptions,
): Promise<Answer<LiveObject>> {
  const kind = appliedKind(name);
  if (live === undefined) return createObject(kind, desired!, api, dryRun);
  const replaced = whole ? await replaceObject(kind, live, desired!, api, dryRun) : undefined;
  if (replaced?.ok === false) return replaced;
  return api.apply(kind, desired!, { dryRun, force: true, uid: live.metadata.uid });
}

/** An object that another writer created in the meantime stays, also that of another watch, which has the same field manager. */
async function createObject(
  kind: ServedKind,
  desired: KubeObject,
  api: ClusterApi,
  dryRun: boolean,
): Promise<Answer<LiveObject>> {
  const made = await api.apply(kind, desired, { dryRun, force: false, isNew: true });
  if (made.ok || made.error.kind !== "conflict") return made;
  // The request may have been sent twice, or another replica may have created the same object.
  const labelSelector = selectorOfSet(desired);
  const ours = await api.list(kind, { labelSelector, budget: readQuota(), keep: stripApplied });
  if (!ours.ok) return ours;
  const same = ours.value.items.find((live) => isAsApplied(live, desired));
  return same === undefined
    ? failed(localError("conflict", "another writer has created it in the meantime"))
    : succeeded(same);
}

/**
 * Writes exactly the desired spec, whatever the managedFields say, and then repairs managedFields. Applying does the
 * rest. Without any entry the API server would give all fields, with defaults, to its manager `before-first-apply` for
 * ever (k8s.io/apimachinery `pkg/util/managedfields/internal/skipnonapplied.go`).
 */
async function replaceObject(
  kind: ServedKind,
  live: LiveObject,
  desired: KubeObject,
  api: ClusterApi,
  dryRun: boolean,
): Promise<Answer<LiveObject>> {
  const replaced = await api.replaceSpec(kind, identityOf(live), desired.spec, { dryRun });
  // A dry run has written nothing: the next request would read the old object.
  if (!replaced.ok || dryRun) return replaced;
  const others = (replaced.value.metadata.managedFields ?? []).filter(
    (entry) => !isApplyOfOurs(entry) && !speaksOfSpec(entry),
  );
  return api.replaceManagedFields(kind, identityOf(replaced.value), [...others, ours(desired)], { dryRun });
}

/** A minimal entry, which applying completes. */
function ours({ apiVersion }: KubeObject): ManagedFieldsEntry {
  const annotations = { [`f:${APPLIED_ANNOTATION}`]: {} };
  const fieldsV1 = { "f:metadata": { "f:annotations": annotations } };
  return { manager: FIELD_MANAGER, operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1 };
}
