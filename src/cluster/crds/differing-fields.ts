/** A definition as it is to be and as it is there in, the fields of its spec that differ out. */
import { formatFieldPath } from "../../krm/field-path.ts";
import { isFields } from "../../krm/fields.ts";
import { sameValue } from "../../krm/same-value.ts";
import type { KubeObject } from "../../model/kube-object.ts";
import { fieldOwners } from "../objects/field-owners.ts";
import type { LiveObject } from "../api/live-object.ts";

export interface DifferingField {
  readonly field: string;
  /** The other manager who changed it, where there is one. */
  readonly owner: string | undefined;
}

/**
 * What the API server adds, such as `spec.conversion`, is no difference. In a schema it adds nothing: a field that we
 * no longer declare differs there, too.
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

/** As JSON has it: without what is undefined. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
