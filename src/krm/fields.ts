/** Mappings of plain data with unknown fields. */

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
