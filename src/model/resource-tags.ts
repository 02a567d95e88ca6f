/** AWS tags that the platform puts on every resource; some may be overridden by a node class. */
import * as z from "zod/mini";

export const resourceTagsSchema = () =>
  z.array(
    z.strictObject({
      key: z.string().check(z.minLength(1), z.maxLength(128)),
      value: z.string().check(z.maxLength(256)),
      overridePolicy: z.optional(z.enum(["Allow", "Deny"])),
    }),
  );

export type ResourceTags = z.output<ReturnType<typeof resourceTagsSchema>>;
