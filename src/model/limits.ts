/** `spec.limits` and `spec.weight` of a pool. */
import * as z from "zod";
import { quantitySchema } from "./quantity.ts";

export const limitsSchema = z.record(z.string(), quantitySchema);

/** A pool without weight counts as 0. */
export const weightSchema = z.int().min(1).max(100).meta({ format: "int32" });
