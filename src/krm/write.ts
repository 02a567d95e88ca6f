/** Objects to text: YAML in one style, JSON, or a ResourceList. */
import { yamlKey, yamlScalar } from "./yaml-scalar.ts";

export type OutputFormat = "yaml" | "json" | "resourcelist";

/** Plain data as a YAML document with its final line break: block style, lists at the column of their key. */
export function toYaml(value: unknown): string {
  if (isNonEmpty(value)) return `${blockLines(value, "").join("\n")}\n`;
  return `${inline(value, "  ")}\n`;
}

/** All objects in one text; nothing for no objects, because an empty document is no manifest. */
export function formatObjects(objects: readonly unknown[], format: OutputFormat): string {
  switch (format) {
    case "yaml":
      return objects.map(toYaml).join("---\n");
    case "json":
      return `${JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, undefined, 2)}\n`;
    case "resourcelist":
      return toYaml({ apiVersion: "config.kubernetes.io/v1", kind: "ResourceList", items: objects });
  }
}

type Block = readonly unknown[] | Readonly<Record<string, unknown>>;

function blockLines(block: Block, indent: string): string[] {
  const lines: string[] = [];
  if (Array.isArray(block)) {
    for (const item of block as readonly unknown[]) {
      const nested = isNonEmpty(item) ? blockLines(item, `${indent}  `) : [`${indent}  ${inline(item, `${indent}  `)}`];
      const [first = "", ...rest] = nested;
      // The first line stands behind the dash.
      lines.push(`${indent}- ${first.slice(indent.length + 2)}`);
      for (const line of rest) lines.push(line);
    }
    return lines;
  }
  for (const [key, value] of Object.entries(block)) {
    if (value === undefined) continue;
    const name = yamlKey(key);
    // Readers look no further than that for the colon.
    const long = name.length > 1000;
    if (long) lines.push(`${indent}? ${name}`);
    const start = long ? `${indent}:` : `${indent}${name}:`;
    if (!isNonEmpty(value)) lines.push(`${start} ${inline(value, `${indent}  `)}`);
    else {
      lines.push(start);
      for (const line of blockLines(value, Array.isArray(value) && !long ? indent : `${indent}  `)) lines.push(line);
    }
  }
  return lines;
}

function inline(value: unknown, indent: string): string {
  if (Array.isArray(value)) return "[]";
  return typeof value === "object" && value !== null ? "{}" : yamlScalar(value, indent);
}

function isNonEmpty(value: unknown): value is Block {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).some((item) => item !== undefined || Array.isArray(value))
  );
}
