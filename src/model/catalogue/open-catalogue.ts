/** The open form of a catalogue: one object for each instance type. */
import * as z from "zod/mini";
import { mapOf } from "../schema/map-of.ts";
import { price, priceOrigin } from "./compact-catalogue.ts";
import { memoize } from "../schema/memoize.ts";
import type { Operator } from "../requirements/requirement.ts";

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Gte", "Lte"] satisfies Operator[];

/** Tools of other providers can write it as well (docs/catalogue.md). */
export const openCatalogue = memoize(() => {
  const text = z.string().check(z.minLength(1));
  // Go writes an empty list as null.
  const listOf = <T extends z.ZodMiniType>(entry: T) => z.nullish(z.array(entry));
  const requirement = z.object({ key: text, operator: z.enum(OPERATORS), values: listOf(z.string()) });
  const resources = z.nullish(mapOf(z.union([z.string(), z.number()])));
  const offering = z.object({
    requirements: listOf(requirement),
    available: z.optional(z.boolean()),
    price: z.optional(price()),
    reservationCapacity: z.optional(z.int().check(z.gte(0))),
  });
  const instanceType = z.object({
    name: text,
    /** Per hour on demand, wherever it is offered. */
    price: z.optional(price()),
    requirements: listOf(requirement),
    offerings: listOf(offering),
    capacity: resources,
    allocatable: resources,
  });
  return z.object({
    source: z.optional(z.string()),
    date: z.optional(z.string()),
    instanceTypes: z.array(instanceType),
    prices: z.optional(priceOrigin()),
    wellKnownLabels: z.optional(z.array(z.string())),
    optionalLabels: z.optional(z.array(z.string())),
  });
});

export type OpenCatalogue = z.output<ReturnType<typeof openCatalogue>>;
