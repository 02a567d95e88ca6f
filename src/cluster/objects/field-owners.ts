/** Who owns the fields of a live object: its managedFields in, one answer a field out. */
import type { FieldPath } from "../../krm/field-path.ts";
import { FIELD_MANAGER } from "../api/cluster-api.ts";
import type { LiveObject, ManagedFieldsEntry } from "../api/live-object.ts";

export interface FieldOwners {
  /** Nobody has recorded anything: then nobody can tell what is a default. */
  readonly unknown: boolean;
  /** Applied by anp, and by nobody changed since: whoever changes a field takes it away from those who applied it. */
  readonly isOurs: (path: FieldPath) => boolean;
  /** Ours as a part of a map or list that is owned as one: what we did not write there is a default. */
  readonly isPartOfOurs: (path: FieldPath) => boolean;
  /** The names of all others that own the field, or anything below it. */
  readonly othersOf: (path: FieldPath) => readonly string[];
}

export function fieldOwners({ metadata: { managedFields = [] } }: Pick<LiveObject, "metadata">): FieldOwners {
  const entries = managedFields.filter(
    ({ subresource = "", fieldsV1 }) => subresource === "" && fieldsV1 !== undefined,
  );
  const ours = entries.filter(isApplyOfOurs);
  const others = entries.filter((entry) => !isApplyOfOurs(entry));
  return {
    unknown: entries.length === 0,
    isOurs: (path) => ours.some(({ fieldsV1 }) => holds(fieldsV1, path) !== undefined),
    isPartOfOurs: (path) => ours.some(({ fieldsV1 }) => holds(fieldsV1, path) === "part"),
    othersOf: (path) => [
      ...new Set(
        others.filter(({ fieldsV1 }) => holds(fieldsV1, path) !== undefined).map(({ manager }) => manager ?? "unknown"),
      ),
    ],
  };
}

/** Or may, of the whole object. One for a subresource can say so too, and the API server believes it. */
export function speaksOfSpec({ fieldsV1 }: ManagedFieldsEntry): boolean {
  return fieldsV1 === undefined || Object.keys(fieldsV1).some((key) => key !== "f:metadata" && key !== "f:status");
}

/** What anp writes in another way than by applying does not go away when anp no longer applies it. */
export function isApplyOfOurs({ manager, operation }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === "Apply";
}

/** By its own name, as a part of something that is owned as one, or not at all. */
function holds(fields: unknown, path: FieldPath): "name" | "part" | undefined {
  let node = fields;
  for (const segment of path) {
    if (typeof node !== "object" || node === null) return undefined;
    const next = (node as Record<string, unknown>)[`f:${segment}`];
    if (next === undefined) return node !== fields && Object.keys(node).length === 0 ? "part" : undefined;
    node = next;
  }
  return "name";
}
