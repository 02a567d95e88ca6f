/** Mappings of plain data, of whose fields nobody knows anything yet. */

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a mapping, and neither a list nor a scalar. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
