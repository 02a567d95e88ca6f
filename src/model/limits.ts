/** `spec.limits` and `spec.weight` of a pool. */
import * as z from "zod/mini";
import { mapOf } from "./map-of.ts";
import { quantitySchema } from "./quantity.ts";

export const limitsSchema = mapOf(quantitySchema);

/** A pool without weight counts as 0. */
export const weightSchema = z.int().check(z.minimum(1), z.maximum(100), z.meta({ format: "int32" }));
