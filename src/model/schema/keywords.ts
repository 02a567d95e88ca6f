/** CRD keywords of schemas, and bounds and patterns that anp checks in another way. */
import * as z from "zod/mini";

const EMPTY = { hint: "remove it, or set a field" };

/**
 * Returns `schema` itself, which must be the caller's own, with these keywords. zod's `meta` would be one more check,
 * which costs time whenever the schema is built, copied or used.
 */
export function withKeywords<S extends z.ZodMiniType>(schema: S, keywords: Readonly<Record<string, unknown>>): S {
  z.globalRegistry.add(schema, keywords);
  return schema;
}

/** For objects and maps. A violation ends validation of the value, so that no other rule reports the same mistake. */
export function withFieldCount<S extends z.ZodMiniType<object>>(
  schema: S,
  { min = 0, max }: { min?: 0 | 1; max?: number },
): S {
  const keywords = { ...(min > 0 ? { minProperties: min } : {}), ...(max === undefined ? {} : { maxProperties: max }) };
  const counted = schema.check(({ value, issues }) => {
    // Unknown fields are gone by now, as they are when the API server counts.
    const count = Object.keys(value).length;
    if (count < min)
      issues.push({ code: "custom", message: "no field is set in it", input: value, params: EMPTY, continue: false });
    if (max !== undefined && count > max) {
      issues.push({
        code: "too_big",
        origin: "object",
        maximum: max,
        inclusive: true,
        input: value,
        continue: false,
      });
    }
  });
  return withKeywords(counted, keywords);
}

interface Form {
  /** Upstream's pattern as in the CRD: Go matches it in linear time, which JavaScript does not. */
  readonly pattern: string;
  /** The same in linear time. */
  readonly test: (text: string) => boolean;
  readonly error: string;
}

/** A text with a pattern in the CRD, checked by an equivalent predicate in anp. */
export function patternSchema({ pattern, test, error }: Form): z.ZodMiniString {
  const form: z.core.CheckFn<string> = ({ value, issues }) => {
    if (!test(value))
      issues.push({ code: "invalid_format", format: "regex", pattern, origin: "string", input: value, message: error });
  };
  return withKeywords(z.string().check(form), { pattern });
}
