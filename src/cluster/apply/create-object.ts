/** Creates an object: if several writers try at the same time, only one succeeds. */
import { type Answer, type ApiError, failed, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readQuota } from "../api/read-quota.ts";
import type { ServedKind } from "../api/served-kind.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { stripApplied } from "../objects/strip-fields.ts";
import { isAsApplied, selectorOfSet } from "../objects/membership.ts";

/** An object that another writer created in the meantime stays, also that of another watch, which has the same field manager. */
export async function createObject(
  kind: ServedKind,
  desired: KubeObject,
  api: ClusterApi,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Answer<LiveObject>> {
  const made = await api.apply(kind, desired, { dryRun, force: false, isNew: true });
  if (made.ok || made.error.kind !== "conflict") return made;
  // The request may have been sent twice, or another replica may have created the same object.
  const ours = await api.list(kind, {
    labelSelector: selectorOfSet(desired),
    budget: readQuota(),
    keep: stripApplied,
  });
  if (!ours.ok) return ours;
  const same = ours.value.items.find((live) => isAsApplied(live, desired));
  return same === undefined ? failed(OVERTAKEN) : succeeded(same);
}

const OVERTAKEN: ApiError = {
  kind: "conflict",
  status: undefined,
  reason: "Conflict",
  message: "another writer has created it in the meantime",
};
