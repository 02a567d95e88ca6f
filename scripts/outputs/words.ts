/** What the schemas of outputs are made of: each part with what is told of it, and nothing beside the parts. */
import * as z from "zod";

export const said = <T extends z.ZodType>(schema: T, description: string): T => schema.describe(description);
export const text = (description: string) => said(z.string(), description);
export const count = (description: string) => said(z.int().min(0), description);
export const flag = (description: string) => said(z.boolean(), description);
export const orNull = (schema: z.ZodType, description: string) => said(schema.nullable(), description);
export const listOf = (schema: z.ZodType, description: string) => said(z.array(schema), description);
export const texts = (description: string) => listOf(z.string(), description);
/** Written once under its name, wherever it is a part. */
export const named = <T extends z.ZodRawShape>(id: string, shape: T) => z.strictObject(shape).meta({ id });

export const schemaVersion = said(z.literal(1), "Raised where a field goes or means something else.");
export const mode = said(z.enum(["hosted", "raw"]), "raw: Karpenter's own objects without wrappers, as they stand.");

/** Where something stands. */
export const place = {
  file: text("Where it stands; of a live object, which one it is."),
  line: count("The line in it, from 1; 0 where there are none, as of a live object."),
};

/** Where the input says it. */
export const placeIfAny = { file: place.file.optional(), line: place.line.optional() };

export const catalogue = z.strictObject({
  source: text("Whose instance types they are."),
  date: text("Of which day."),
});

/** In the form that manifests have. */
export const requirement = z.strictObject({
  key: text("The label."),
  operator: text("As in a manifest."),
  values: texts("As in a manifest.").optional(),
  minValues: count("As in a manifest.").optional(),
});

/** The top of an answer. */
export const answer = <T extends z.ZodRawShape>(command: string, page: string, shape: T) =>
  z.strictObject(shape).meta({ title: `anp ${command}`, description: `What anp ${command} prints (docs/${page}).` });
