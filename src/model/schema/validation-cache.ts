/** Makes a schema remember values that it accepted, so that equal ones are not checked again. */
import type * as z from "zod/mini";
import { roomBeside } from "../../krm/parse/input-limits.ts";

/** Longer values are rarely equal. MOST texts of this length are kept. */
const LONGEST = 1000;
const MOST = 1000;

/**
 * Changes `schema` itself, which must be the caller's own, have all its checks and accept no null, for which JSON also
 * writes other values. Pools of a fleet have the same few entries: for a thousand pools they took two fifths of zod's
 * time. Rendered objects share the values that were read, and are checked by the same schema. Callers must not change a
 * returned value: it may be the input itself.
 */
export function cacheValidation<S extends z.ZodMiniType>(schema: S): S {
  const own = new WeakSet<object>();
  const texts = new Set<string>();
  const { _zod: internals } = schema;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    const { value } = payload;
    if (typeof value !== "object" || value === null) return run(payload, context);
    if (own.has(value)) return payload;
    const text = textOf(value);
    if (text !== undefined && texts.has(text)) {
      own.add(value);
      return payload;
    }
    const outcome = run(payload, context);
    if (outcome instanceof Promise || outcome.issues.length > 0) return outcome;
    const taken = outcome.value as object;
    own.add(taken);
    // A value that the schema changes or reorders must be checked each time.
    if (text !== undefined && textOf(taken) === text) {
      if (texts.size === MOST) texts.clear();
      texts.add(text);
    }
    return outcome;
  };
  return schema;
}

/** Undefined for a long value, and for one with a number that JSON cannot express. */
function textOf(value: object): string | undefined {
  // Aliases make a long value of a short document: it must be measured before it is serialised.
  if (roomBeside(value, LONGEST) < 0) return undefined;
  try {
    const text = JSON.stringify(value);
    return text.length > LONGEST ? undefined : text;
  } catch {
    return undefined;
  }
}
