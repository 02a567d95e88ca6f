/** Reads and copies mappings of objects that were not validated. */

import { type Fields, isFields } from "../../krm/fields.ts";

export { type Fields, isFields };

/** Empty for anything but a mapping. A null field counts as absent, as on the API server. */
export function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined && field !== null));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Changed fields keep their place, new fields come last, and undefined removes a field. */
export function withChanges(fields: Fields, changes: Fields): Fields {
  return fieldsOf({ ...fields, ...changes });
}
