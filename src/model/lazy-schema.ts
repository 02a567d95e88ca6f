/** A schema that is built when the first value for it is validated. */
import * as z from "zod/mini";

/**
 * Building one takes longer than using it.
 * @param build a schema that is neither optional nor has a default: it stands in for both
 */
export function lazySchema<S extends z.ZodMiniType>(build: () => S): z.ZodMiniLazy<S> {
  const schema = z.lazy(build);
  // Every optional field that is left out reads this, and zod would build the schema to answer.
  schema._zod.optin = undefined;
  return schema;
}
