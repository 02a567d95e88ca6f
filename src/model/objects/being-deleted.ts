/** Objects that are being deleted: their finalizers, and what Karpenter does meanwhile. */
import { valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { KARPENTER_AWS_GROUP, KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import { describeResource, groupOf, type Resource } from "../../krm/places/resource.ts";

/** By group and kind (docs/upstream/karpenter.md#pools-that-are-being-deleted). */
const UNTIL_GONE: Readonly<Record<string, string>> = {
  [`${KARPENTER_GROUP}/NodePool`]:
    "its nodes stay, drift by its present list and go by its present budgets; no pod gets a new node of it, and drifted nodes of a static pool are replaced by its template",
  [`${KARPENTER_AWS_GROUP}/EC2NodeClass`]:
    "its pools get no nodes, and their nodes only expire: Karpenter replaces no drifted ones",
};

const SHOWN = 5;
const LONGEST = 100;

export function isBeingDeleted(object: unknown): boolean {
  return valueAt(object, ["metadata", "deletionTimestamp"]) !== undefined;
}

/** Undefined if it is not being deleted. The object's author chooses its finalizers, and how many. */
export function deletionWords(object: unknown): string | undefined {
  if (!isBeingDeleted(object)) return undefined;
  const given = valueAt(object, ["metadata", "finalizers"]);
  const finalizers = Array.isArray(given) ? given.map(String) : [];
  const names = finalizers
    .slice(0, SHOWN)
    .map((name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
  const more = finalizers.length > SHOWN ? ` and ${finalizers.length - SHOWN} more` : "";
  const held =
    names.length === 0
      ? ""
      : `, and kept by ${finalizers.length === 1 ? "its finalizer" : "its finalizers"} ${names.join(", ")}${more}`;
  return `it is being deleted since ${String(valueAt(object, ["metadata", "deletionTimestamp"]))}${held}`;
}

/** For objects in a dump of a cluster, or in a live one. */
export function beingDeleted(resources: readonly Resource[]): Finding[] {
  return resources.flatMap((resource) => {
    const does = UNTIL_GONE[`${groupOf(resource.apiVersion)}/${resource.kind}`];
    const words = does && deletionWords(resource.value);
    if (words === undefined) return [];
    const message = `${describeResource(resource)} counts until it is gone: ${words}; ${does}`;
    const hint = "it goes when the last finalizer is removed, by its owner or by you if the owner is gone";
    return [findingAt("being-deleted", resource, ["metadata", "deletionTimestamp"], { message, hint })];
  });
}
