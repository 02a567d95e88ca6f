/** The fields that a model allows at a place, to suggest the nearest name for a misspelt one. */
import * as z from "zod/mini";
import type { FieldPath } from "../krm/field-path.ts";

export function knownFields(schema: z.ZodMiniType, path: FieldPath): string[] {
  const at = path.reduce<z.ZodMiniType | undefined>(step, schema);
  const inner = at === undefined ? undefined : unwrap(at);
  if (inner instanceof z.ZodMiniObject) return Object.keys(inner.shape);
  if (inner instanceof z.ZodMiniUnion)
    return inner.def.options.flatMap((option) => knownFields(option as z.ZodMiniType, []));
  return [];
}

function step(schema: z.ZodMiniType | undefined, segment: string | number): z.ZodMiniType | undefined {
  if (schema === undefined) return undefined;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodMiniObject) return inner.shape[segment] as z.ZodMiniType | undefined;
  if (inner instanceof z.ZodMiniArray) return inner.def.element as z.ZodMiniType;
  if (inner instanceof z.ZodMiniRecord) return inner.def.valueType as z.ZodMiniType;
  if (inner instanceof z.ZodMiniUnion) {
    return inner.def.options
      .map((option) => step(option as z.ZodMiniType, segment))
      .find((found) => found !== undefined);
  }
  return undefined;
}

function unwrap(schema: z.ZodMiniType): z.ZodMiniType {
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault
  ) {
    return unwrap(schema.def.innerType as z.ZodMiniType);
  }
  if (schema instanceof z.ZodMiniLazy) return unwrap(schema._zod.innerType as z.ZodMiniType);
  return schema;
}
