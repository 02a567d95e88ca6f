/** The fields a model allows at a place: a schema and a path in, names out; for the nearest name of a misspelt one. */
import * as z from "zod";
import type { FieldPath } from "../krm/field-path.ts";

export function knownFields(schema: z.ZodType, path: FieldPath): string[] {
  const at = path.reduce<z.ZodType | undefined>(step, schema);
  const inner = at === undefined ? undefined : unwrap(at);
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => knownFields(option as z.ZodType, []));
  return [];
}

function step(schema: z.ZodType | undefined, segment: string | number): z.ZodType | undefined {
  if (schema === undefined) return undefined;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return inner.shape[segment] as z.ZodType | undefined;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => step(option as z.ZodType, segment)).find((found) => found !== undefined);
  }
  return undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
