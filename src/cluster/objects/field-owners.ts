/** Reads managedFields: which manager owns a field. And a hash of a spec and its owners. */
import type { FieldPath } from "../../krm/places/field-path.ts";
import { FIELD_MANAGER } from "../api/cluster-api.ts";
import type { LiveObject, ManagedFieldsEntry } from "../api/live-object.ts";
import { createHash } from "node:crypto";
import { canonical } from "../../krm/values/canonical.ts";

export interface FieldOwners {
  /** There are no records. Without them, defaults cannot be told from values that a user set. */
  readonly unknown: boolean;
  /** Applied by anp and not changed since: another manager that changes a field takes over its ownership. */
  readonly isOurs: (path: FieldPath) => boolean;
  /** Inside an atomic map or list of ours: a field there that anp did not write is a default. */
  readonly isPartOfOurs: (path: FieldPath) => boolean;
  /** The same of another manager: applying by force replaces all of it. */
  readonly isPartOfOthers: (path: FieldPath) => boolean;
  /** The names of all other managers that own the field or a field below it. */
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
    isPartOfOthers: (path) => others.some(({ fieldsV1 }) => holds(fieldsV1, path) === "part"),
    othersOf: (path) => [
      ...new Set(
        others.filter(({ fieldsV1 }) => holds(fieldsV1, path) !== undefined).map(({ manager }) => manager ?? "unknown"),
      ),
    ],
  };
}

/** Whether an entry may own fields of the spec. An entry for a subresource can own them too: the API server accepts it. */
export function speaksOfSpec({ fieldsV1 }: ManagedFieldsEntry): boolean {
  return fieldsV1 === undefined || Object.keys(fieldsV1).some((key) => key !== "f:metadata" && key !== "f:status");
}

/** Only applied fields are removed when anp no longer applies them. Fields of other writes of anp stay. */
export function isApplyOfOurs({ manager, operation }: ManagedFieldsEntry): boolean {
  return manager === FIELD_MANAGER && operation === "Apply";
}

/** Whether an entry names the path itself (`name`), or owns an atomic field that holds it (`part`). */
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

/**
 * A user who may patch an object may rewrite its managedFields. Then defaults cannot be told from leftovers. If the hash
 * is the one that anp recorded, spec and managedFields are as the API server wrote them.
 */
export function specHash({ metadata: { managedFields = [] }, spec }: LiveObject): string {
  const records = managedFields
    .filter((entry) => isApplyOfOurs(entry) || speaksOfSpec(entry))
    .map(({ manager, operation, subresource, fieldsV1 }) => ({ manager, operation, subresource, fieldsV1 }));
  return createHash("sha256").update(canonical({ spec, records })).digest("hex").slice(0, 16);
}
