/** AWS tags that the platform puts on every resource; some may be overridden by a node class. */
import * as z from "zod/mini";
import { described, field } from "./settings.ts";

export const resourceTagsSchema = () =>
  z.array(
    z.strictObject({
      key: described(z.string().check(z.minLength(1), z.maxLength(128)), "The tag's key."),
      value: described(z.string().check(z.maxLength(256)), "The tag's value."),
      overridePolicy: field(z.enum(["Allow", "Deny"]), "Whether a node class may set another value."),
    }),
  );

export type ResourceTags = z.output<ReturnType<typeof resourceTagsSchema>>;
