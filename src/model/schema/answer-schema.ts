/** Building blocks of the answers' schemas: each part has a description, and no unknown fields. */
import * as z from "zod";

export const described = <T extends z.ZodType>(schema: T, description: string): T => schema.describe(description);
export const text = (description: string) => described(z.string(), description);
export const count = (description: string) => described(z.int().min(0), description);
export const flag = (description: string) => described(z.boolean(), description);
export const orNull = <T extends z.ZodType>(schema: T, description: string) =>
  described(schema.nullable(), description);
/** Readonly as a type, and a plain array in the JSON Schema. */
export const listOf = <T extends z.ZodType>(schema: T, description: string): z.ZodType<readonly z.output<T>[]> =>
  described(z.array(schema), description);
export const texts = (description: string) => listOf(z.string(), description);
/** Defined once under its name, and referenced by other parts. */
export const named = <T extends z.ZodRawShape>(id: string, shape: T) => z.strictObject(shape).meta({ id });

export const schemaVersion = described(z.literal(1), "Raised if a field is removed or changes its meaning.");
export const mode = described(
  z.enum(["hosted", "shipped", "raw"]),
  "hosted: wrappers. shipped: NodePools of Karpenter in a hosted cluster. raw: Karpenter's own objects alone, as they are.",
);

/** A place in the input. */
export const place = {
  file: text("The file; for a live object, the object."),
  line: count("The line in the file, from 1; 0 if there are none, as for a live object."),
};

/** A place in the input, if there is one. */
export const placeIfAny = { file: place.file.exactOptional(), line: place.line.exactOptional() };

export const catalogue = z.strictObject({
  source: text("The source of the instance types."),
  date: text("The date of the data."),
});

/** In the form that manifests have. */
export const requirement = z.strictObject({
  key: text("The label."),
  operator: text("As in a manifest."),
  values: texts("As in a manifest.").optional(),
  minValues: count("As in a manifest.").optional(),
});

/** The root of an answer. */
export const answer = <T extends z.ZodRawShape>(command: string, page: string, shape: T) =>
  z.strictObject(shape).meta({ title: `anp ${command}`, description: `The output of anp ${command} (docs/${page}).` });
