/** JSON Schemas of answers, for programs that have to accept more fields of later versions. */

/** The schema without rules against other fields, and without JavaScript's bounds of integers. */
export function openSchema<T extends object>(schema: T): T {
  const open = (_key: string, part: unknown): unknown => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const { additionalProperties, maximum, minimum, ...rest } = part as Record<string, unknown>;
    const bounds = {
      ...(minimum === Number.MIN_SAFE_INTEGER || minimum === undefined ? {} : { minimum }),
      ...(maximum === Number.MAX_SAFE_INTEGER || maximum === undefined ? {} : { maximum }),
    };
    const isClosed = additionalProperties === false || additionalProperties === undefined;
    return { ...rest, ...bounds, ...(isClosed ? {} : { additionalProperties }) };
  };
  return JSON.parse(JSON.stringify(schema, open)) as T;
}
