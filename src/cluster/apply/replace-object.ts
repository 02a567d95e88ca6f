/** Replaces the whole spec of a live object, and repairs its managedFields. */
import type { Answer } from "../api/api-answer.ts";
import { type ClusterApi, FIELD_MANAGER } from "../api/cluster-api.ts";
import { identityOf, type LiveObject, type ManagedFieldsEntry } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";
import { APPLIED_ANNOTATION } from "../objects/membership.ts";

/**
 * Writes exactly the desired spec, whatever the managedFields say, and then repairs managedFields. Applying does the
 * rest. Without any entry the API server would give all fields, with defaults, to its manager `before-first-apply` for
 * ever (k8s.io/apimachinery `pkg/util/managedfields/internal/skipnonapplied.go`).
 */
export async function replaceObject(
  kind: ServedKind,
  live: LiveObject,
  desired: KubeObject,
  api: ClusterApi,
  { dryRun }: { readonly dryRun: boolean },
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
