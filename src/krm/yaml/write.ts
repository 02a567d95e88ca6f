/** Writes objects as text: YAML in one style, JSON, or a ResourceList. */
import { jsonText } from "../values/exact-integer.ts";
import { yamlKey, yamlScalar } from "./yaml-scalar.ts";

export type OutputFormat = "yaml" | "json" | "resourcelist";

/** Plain data as a YAML document with its final line break: block style, lists at the column of their key. */
export function toYaml(value: unknown): string {
  if (!isNonEmpty(value)) return `${inline(value, "  ")}\n`;
  const lines: string[] = [];
  addBlock(lines, value, "");
  return `${lines.join("\n")}\n`;
}

/** All objects in one text; an empty text for no objects, because an empty document is not a manifest. */
export function formatObjects(objects: readonly unknown[], format: OutputFormat): string {
  switch (format) {
    case "yaml":
      return objects.map(toYaml).join("---\n");
    case "json":
      return `${jsonText({ apiVersion: "v1", kind: "List", items: objects }, 2)}\n`;
    case "resourcelist":
      return toYaml({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: objects });
  }
}

type Block = readonly unknown[] | Readonly<Record<string, unknown>>;

/** @param lead what the first line begins with, in place of the indentation: it may follow a dash */
function addBlock(lines: string[], block: Block, indent: string, lead = indent): void {
  const deeper = `${indent}  `;
  let start = lead;
  if (Array.isArray(block)) {
    for (const item of block as readonly unknown[]) {
      if (isNonEmpty(item)) addBlock(lines, item, deeper, `${start}- `);
      else lines.push(`${start}- ${inline(item, deeper)}`);
      start = indent;
    }
    return;
  }
  for (const [key, value] of Object.entries(block)) {
    if (value === undefined) continue;
    const name = yamlKey(key);
    // Readers look no further than that for the colon.
    const long = name.length > 1000;
    if (long) lines.push(`${start}? ${name}`);
    const field = long ? `${indent}:` : `${start}${name}:`;
    if (isNonEmpty(value)) {
      lines.push(field);
      addBlock(lines, value, Array.isArray(value) && !long ? indent : deeper);
    } else lines.push(`${field} ${inline(value, deeper)}`);
    start = indent;
  }
}

function inline(value: unknown, indent: string): string {
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" && value !== null ? "{}" : yamlScalar(value, indent);
}

function isNonEmpty(value: unknown): value is Block {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === "object" && value !== null && Object.values(value).some((item) => item !== undefined);
}
