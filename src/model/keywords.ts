/** What the CRD says of a schema beside its checks: formats, list types, defaults. */
import * as z from "zod/mini";

/**
 * `schema` itself, which must be the caller's own, with these keywords. zod's `meta` would be one more check: it takes time
 * whenever the schema is built, copied or used.
 */
export function withKeywords<S extends z.ZodMiniType>(schema: S, keywords: Readonly<Record<string, unknown>>): S {
  z.globalRegistry.add(schema, keywords);
  return schema;
}
