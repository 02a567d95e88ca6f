/** Reads and copies mappings of plain data with unknown fields. */

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a mapping, as opposed to a list or a scalar. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An object without its undefined fields, which would overwrite those of another when spread. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

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
