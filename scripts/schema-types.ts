/** TypeScript text for the type of a JSON Schema, with its descriptions as doc comments. */

/** The parts of JSON Schema that zod writes for the answers of anp. */
export interface JsonSchema {
  readonly title?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** The declaration of a type. Named parts are written out where they are referenced: zod writes no recursive ones here. */
export function declarationOf(name: string, schema: object): string {
  const whole = schema as JsonSchema;
  return `type ${name} = ${typeText(whole, whole.$defs ?? {}, "")};\n`;
}

/** @param parts the named parts of the whole schema @param indent of the line that the type begins on */
export function typeText(schema: JsonSchema, parts: Readonly<Record<string, JsonSchema>>, indent: string): string {
  const within = (part: JsonSchema): string => typeText(part, parts, indent);
  if (schema.$ref !== undefined) return within(parts[schema.$ref.split("/").at(-1)!]!);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(within).join(" | ");
  const { type } = schema;
  if (typeof type === "object") return type.map((one) => within({ ...schema, type: one })).join(" | ");
  switch (type) {
    case "array":
      return `readonly (${within(schema.items ?? {})})[]`;
    case "object":
      return objectText(schema, parts, indent);
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return type;
  }
}

function objectText(schema: JsonSchema, parts: Readonly<Record<string, JsonSchema>>, indent: string): string {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined || Object.keys(properties).length === 0) {
    const of = typeof additionalProperties === "object" ? typeText(additionalProperties, parts, indent) : "unknown";
    return `Readonly<Record<string, ${of}>>`;
  }
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([key, property]) => {
    const comment = property.description === undefined ? "" : `${deeper}/** ${property.description} */\n`;
    const name = required.includes(key) ? key : `${key}?`;
    return `${comment}${deeper}readonly ${name}: ${typeText(property, parts, deeper)};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}
