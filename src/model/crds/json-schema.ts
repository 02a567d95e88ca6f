/** Makes a kind's JSON Schema, for editors and kubeconform, from its CRD. */
import { type CustomResource, objectSchema } from "./crd.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Identifies a file that anp wrote. */
const WRITTEN_BY = "Written by anp crds --json-schemas.";

/** Every editor and kubeconform support Draft 7. */
export function jsonSchemaOf(resource: CustomResource): Schema {
  const { group, version, kind } = resource;
  const whole = closed(objectSchema(resource));
  const { apiVersion, kind: ofKind, ...others } = whole["properties"] as Record<string, Schema>;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: WRITTEN_BY,
    title: kind,
    ...whole,
    // The API server identifies an object's schema by these fields; a file has to state them itself.
    required: ["apiVersion", "kind", ...((whole["required"] ?? []) as string[])],
    properties: {
      apiVersion: { ...apiVersion, const: `${group}/${version}` },
      kind: { ...ofKind, const: kind },
      ...others,
    },
  };
}

/** In the folder of its group, where kubeconform looks for it (docs/upstream/hosts.md#kubeconform). */
export function jsonSchemaFile({ kind, version }: CustomResource): string {
  return `${kind.toLowerCase()}_${version}.json`;
}

/** An object goes on one line if it fits. */
export function jsonSchemaText(schema: object): string {
  return `${laidOut(schema, "")}\n`;
}

export function isWrittenJsonSchema(text: string): boolean {
  try {
    return (JSON.parse(text) as { $comment?: unknown } | null)?.$comment === WRITTEN_BY;
  } catch {
    return false;
  }
}

/**
 * The API server silently prunes fields that a CRD does not name, which hides typing errors: here they are refused, as
 * by kubectl's strict validation. JSON Schema cannot express CEL rules; `anp check` checks them.
 */
function closed(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !keyword.startsWith("x-kubernetes-"));
  const { properties, items, additionalProperties, format, ...rest } = Object.fromEntries(kept) as Schema;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties !== undefined;
  return {
    ...rest,
    ...(schema["x-kubernetes-list-type"] === "set" ? { uniqueItems: true } : {}),
    ...BOUNDS[format as keyof typeof BOUNDS],
    ...boundsGiven(schema),
    ...(format === "date-time" ? { format } : {}),
    ...(properties === undefined ? {} : { properties: eachClosed(properties as Record<string, Schema>) }),
    ...(properties === undefined || isOpen ? {} : { additionalProperties: false }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: closed(additionalProperties as Schema) }
      : {}),
    ...(items === undefined ? {} : { items: closed(items as Schema) }),
  };
}

function eachClosed(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, closed(schema)]));
}

/** Formats that validators of JSON Schema do not know. Values of int64 exceed what JavaScript counts exactly. */
const BOUNDS = { int32: { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } } as const;

function boundsGiven({ minimum, maximum }: Schema): Schema {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

const LINE = 120;

function laidOut(value: unknown, indent: string): string {
  const inline = spaced(value);
  if (typeof value !== "object" || value === null || indent.length + inline.length <= LINE) return inline;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => `${deeper}${laidOut(item, deeper)}`)
    : Object.entries(value)
        .filter(([, part]) => part !== undefined)
        .map(([key, part]) => `${deeper}${JSON.stringify(key)}: ${laidOut(part, deeper)}`);
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return parts.length === 0
    ? "{}"
    : `{ ${parts.map(([key, part]) => `${JSON.stringify(key)}: ${spaced(part)}`).join(", ")} }`;
}
