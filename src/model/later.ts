/** A schema that is built when the first value for it comes. */
import * as z from "zod/mini";

/**
 * Building one takes longer than using it.
 *
 * @param build what is not optional itself and has no default: it stands for both at once
 */
export function later<S extends z.ZodMiniType>(build: () => S): z.ZodMiniLazy<S> {
  const schema = z.lazy(build);
  // Every optional field that is left out asks for this, and zod would build the schema to answer.
  schema._zod.optin = undefined;
  return schema;
}
