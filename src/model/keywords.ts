/** Adds CRD keywords to a schema: formats, list types, defaults. */
import * as z from "zod/mini";

/**
 * Returns `schema` itself, which must be the caller's own, with these keywords. zod's `meta` would be one more check,
 * which costs time whenever the schema is built, copied or used.
 */
export function withKeywords<S extends z.ZodMiniType>(schema: S, keywords: Readonly<Record<string, unknown>>): S {
  z.globalRegistry.add(schema, keywords);
  return schema;
}
