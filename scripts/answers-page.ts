/** docs/answers.md: the fields of each JSON answer, made of its schema. */
import { OUTPUTS, type OutputName, outputSchemas, schemaFile } from "./output-schemas.ts";
import { type JsonSchema, typeText } from "./schema-types.ts";

/** A longer list of values, such as that of all finding codes, is left to the schema. */
const LONGEST_TYPE = 90;

export function answersPage(): string {
  const schemas = outputSchemas();
  const names = Object.keys(OUTPUTS) as OutputName[];
  const list = names.map((name) => `- [${titleOf(schemas, name)}](#${anchorOf(titleOf(schemas, name))})`).join("\n");
  return `${HEAD}\n${list}\n\n${names.map((name) => section(schemas, name)).join("\n")}`;
}

const HEAD = `# Answers in JSON

The fields of each answer that \`-o json\` prints. \`?\` marks a field that may be absent, \`[]\` the items of a list. A later
version may add fields; \`schemaVersion\` is raised when a field goes or changes its meaning. The same as JSON Schemas is in
\`schemas/\`. \`npm run fixtures\` writes this page.
`;

function titleOf(schemas: Readonly<Record<string, object>>, name: OutputName): string {
  return (schemas[schemaFile(name)] as JsonSchema).title ?? name;
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}

function section(schemas: Readonly<Record<string, object>>, name: OutputName): string {
  const schema = schemas[schemaFile(name)] as JsonSchema;
  const file = `[\`schemas/${schemaFile(name)}\`](../schemas/${schemaFile(name)})`;
  const parts = Object.entries(schema.$defs ?? {}).map(([part, of]) => `Fields of \`${part}\`:\n\n${table(of)}`);
  return `## ${titleOf(schemas, name)}\n\n${[file, table(schema), ...parts].join("\n\n")}\n`;
}

function table(schema: JsonSchema): string {
  const lines = rowsOf(schema, "").map(({ path, type, text }) => `| \`${path}\` | ${type} | ${text} |`);
  return ["| field | type | meaning |", "| --- | --- | --- |", ...lines].join("\n");
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** Named parts have tables of their own. */
function rowsOf(schema: JsonSchema, path: string): Row[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => rowsOf(one, path));
  if (schema.items !== undefined) return rowsOf(schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const at = path === "" ? key : `${path}.${key}`;
    const shown = schema.required?.includes(key) === true ? at : `${at}?`;
    return [{ path: shown, type: kindOf(property), text: property.description ?? "" }, ...rowsOf(property, at)];
  });
}

/** As JSON names types, with the values of a closed set and the names of parts. */
function kindOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return `\`${schema.$ref.split("/").at(-1)}\``;
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(" or ");
  if (schema.enum !== undefined || schema.const !== undefined) {
    const values = typeText(schema, {}, "").replaceAll('"', "`").replaceAll(" | ", ", ");
    return values.length > LONGEST_TYPE ? "string" : values;
  }
  if (schema.items !== undefined) return `array of ${kindOf(schema.items)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}
