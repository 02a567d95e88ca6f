/** `spec.limits` and `spec.weight` of a pool. */
import * as z from "zod/mini";
import { withKeywords } from "./keywords.ts";
import { mapOf } from "./map-of.ts";
import { quantitySchema } from "./quantity.ts";

export const limitsSchema = mapOf(quantitySchema);

/** The weight of a pool without one. */
export const weightSchema = withKeywords(z.int().check(z.minimum(1), z.maximum(100)), { format: "int32" });
