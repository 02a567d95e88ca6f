/** Mappings of plain data with unknown fields. */

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a mapping, as opposed to a list or a scalar. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
