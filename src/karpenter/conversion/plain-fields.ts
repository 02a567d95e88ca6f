/** Mappings of unchecked objects: their fields, and copies with some of them changed. */

import { type Fields, isFields } from "../../krm/fields.ts";

export { type Fields, isFields };

/** What is no mapping has no fields; a field that is null is not there, as the API server sees it. */
export function fieldsOf(value: unknown): Fields {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined && field !== null));
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Changed fields keep their place, new ones come last, and those that are undefined go. */
export function withChanges(fields: Fields, changes: Fields): Fields {
  return fieldsOf({ ...fields, ...changes });
}
