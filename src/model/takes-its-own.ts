/** A schema that does not look again at what it gave itself. */
import type * as z from "zod/mini";

/**
 * `schema` itself, which must be the caller's own and have all its checks. What is rendered holds the entries that were
 * read of policy and pool, and is checked by the same schema: of a thousand pools that was a fifth of zod's time. Who gets
 * a value of it must not change it.
 */
export function takesItsOwn<S extends z.ZodMiniType>(schema: S): S {
  const own = new WeakSet<object>();
  const { _zod: internals } = schema;
  const run = internals.run.bind(internals);
  internals.run = (payload, context) => {
    const { value } = payload;
    if (typeof value === "object" && value !== null && own.has(value)) return payload;
    const outcome = run(payload, context);
    if (!(outcome instanceof Promise) && outcome.issues.length === 0 && typeof outcome.value === "object")
      own.add(outcome.value as object);
    return outcome;
  };
  return schema;
}
