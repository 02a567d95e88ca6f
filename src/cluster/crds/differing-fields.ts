/** Which fields of the spec differ between a declared and a live CustomResourceDefinition. */
import { formatFieldPath } from "../../krm/field-path.ts";
import { isFields } from "../../krm/fields.ts";
import { sameValue } from "../../krm/same-value.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { fieldOwners } from "../objects/field-owners.ts";
import type { LiveObject } from "../api/live-object.ts";

export interface DifferingField {
  readonly field: string;
  /** The other manager that owns it, if there is one. */
  readonly owner: string | undefined;
}

/**
 * Fields that the API server adds, such as `spec.conversion`, do not count. It adds nothing to a schema: there, a field
 * that anp no longer declares counts, too.
 */
export function differingFields({ spec }: KubeObject, live: LiveObject): DifferingField[] {
  const owners = fieldOwners(live);
  return Object.entries(spec)
    .filter(([field, value]) => !holds(value, live.spec?.[field]))
    .map(([field]) => ["spec", field])
    .map((path) => ({ field: formatFieldPath(path), owner: owners.othersOf(path)[0] }));
}

function holds(declared: unknown, live: unknown): boolean {
  if (Array.isArray(declared)) {
    if (!Array.isArray(live) || live.length !== declared.length) return false;
    return declared.every((item, index) => holds(item, live[index]));
  }
  if (!isFields(declared)) return Object.is(declared, live);
  if (!isFields(live)) return false;
  return Object.entries(declared).every(([key, value]) =>
    key === "schema" ? sameValue(asStored(value), live[key]) : holds(value, live[key]),
  );
}

/** As JSON stores it: without undefined fields. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
