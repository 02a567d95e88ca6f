/** AWS tags that the platform puts on everything, and whether a node class may override one. */
import * as z from "zod";

export const resourceTagsSchema = () =>
  z.array(
    z.strictObject({
      key: z.string().min(1).max(128),
      value: z.string().max(256),
      overridePolicy: z.enum(["Allow", "Deny"]).optional(),
    }),
  );

export type ResourceTags = z.output<ReturnType<typeof resourceTagsSchema>>;
