/** Replaces the whole spec of a live object, and sets its managedFields right. */
import type { Answer } from "../api/api-answer.ts";
import { type ClusterApi, FIELD_MANAGER } from "../api/cluster-api.ts";
import { identityOf, type LiveObject, type ManagedFieldsEntry } from "../api/live-object.ts";
import type { ServedKind } from "../api/served-kind.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { isApplyOfOurs, speaksOfSpec } from "../objects/field-owners.ts";
import { APPLIED_ANNOTATION } from "../objects/membership.ts";

/**
 * Made exactly the wanted spec, whatever the managedFields say, and then those made true: applying does the rest.
 * Without any record the API server would give all that stands there, defaults too, to a manager of its own
 * (`before-first-apply`, k8s.io/apimachinery `pkg/util/managedfields/internal/skipnonapplied.go`), for ever.
 */
export async function writeWhole(
  kind: ServedKind,
  live: LiveObject,
  desired: KubeObject,
  api: ClusterApi,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Answer<LiveObject>> {
  const replaced = await api.replaceSpec(kind, identityOf(live), desired.spec, { dryRun });
  // A dry run has written nothing, so that what follows would meet the old one.
  if (!replaced.ok || dryRun) return replaced;
  const others = (replaced.value.metadata.managedFields ?? []).filter(
    (entry) => !isApplyOfOurs(entry) && !speaksOfSpec(entry),
  );
  return api.replaceManagedFields(kind, identityOf(replaced.value), [...others, ours(desired)], { dryRun });
}

/** The least that it can say: applying says all of it. */
function ours({ apiVersion }: KubeObject): ManagedFieldsEntry {
  const annotations = { [`f:${APPLIED_ANNOTATION}`]: {} };
  const fieldsV1 = { "f:metadata": { "f:annotations": annotations } };
  return { manager: FIELD_MANAGER, operation: "Apply", apiVersion, fieldsType: "FieldsV1", fieldsV1 };
}
