/** A schema that is built when a value for it comes first: building one takes longer than using it. */
import * as z from "zod/mini";

/** @param build what is not optional itself and has no default: it stands for both at once */
export function later<S extends z.ZodMiniType>(build: () => S): z.ZodMiniLazy<S> {
  const schema = z.lazy(build);
  // Every optional field that is left out asks for this, and zod would build the schema to answer.
  schema._zod.optin = undefined;
  return schema;
}
