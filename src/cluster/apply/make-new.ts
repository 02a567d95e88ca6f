/** Makes an object that nobody has seen yet: of several who try at one moment, one succeeds. */
import { type Answer, type ApiError, failed, succeeded } from "../api/api-answer.ts";
import type { ClusterApi } from "../api/cluster-api.ts";
import type { LiveObject } from "../api/live-object.ts";
import { readBudget } from "../api/read-budget.ts";
import type { ServedKind } from "../api/served-kind.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { neededOfApplied } from "../objects/needed-parts.ts";
import { isAsApplied, selectorOfSet } from "../objects/membership.ts";

/** Whoever made one of this name in the meantime keeps it, another watch too, whose field manager is the same. */
export async function makeNew(
  kind: ServedKind,
  desired: KubeObject,
  api: ClusterApi,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Answer<LiveObject>> {
  const made = await api.apply(kind, desired, { dryRun, force: false, isNew: true });
  if (made.ok || made.error.kind !== "conflict") return made;
  // A request may have been sent twice, or another replica may have made the very same.
  const ours = await api.list(kind, {
    labelSelector: selectorOfSet(desired),
    budget: readBudget(),
    keep: neededOfApplied,
  });
  if (!ours.ok) return ours;
  const same = ours.value.items.find((live) => isAsApplied(live, desired));
  return same === undefined ? failed(OVERTAKEN) : succeeded(same);
}

const OVERTAKEN: ApiError = {
  kind: "conflict",
  status: undefined,
  reason: "Conflict",
  message: "somebody else has made it in the meantime",
};
