/** Bounds on the number of fields: keywords for the CRD, a check for anp. */
import type * as z from "zod/mini";
import { withKeywords } from "./keywords.ts";

const params = { hint: "remove it, or set a field" };

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
      issues.push({ code: "custom", message: "no field is set in it", input: value, params, continue: false });
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
