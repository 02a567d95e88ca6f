/** A schema with a smallest and largest number of fields: the keywords for the CRD, the check for anp. */
import type { z } from "zod";

/** Objects and maps alike; what does not count stops here, so that no rule on it speaks of the same fault again. */
export function withFieldCount<S extends z.ZodType<object>>(
  schema: S,
  { min = 0, max }: { min?: number; max?: number },
): S {
  const keywords = { ...(min > 0 ? { minProperties: min } : {}), ...(max === undefined ? {} : { maxProperties: max }) };
  return schema.meta({ ...schema.meta(), ...keywords }).superRefine((value, { issues }) => {
    const count = Object.keys(value).length;
    const shared = { origin: "object", inclusive: true, input: value, continue: false } as const;
    if (count < min) issues.push({ code: "too_small", minimum: min, ...shared });
    if (max !== undefined && count > max) issues.push({ code: "too_big", maximum: max, ...shared });
  });
}
