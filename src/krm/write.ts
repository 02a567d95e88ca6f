/** Objects to text: YAML in one style, JSON, or a ResourceList. */
import { stringify } from "yaml";

export type OutputFormat = "yaml" | "json" | "resourcelist";

const STYLE = {
  version: "1.2",
  // Strings that readers of YAML 1.1 (kubectl among them) would take for something else are quoted: "on", "1e3", "0o7".
  compat: "yaml-1.1",
  lineWidth: 0,
  indentSeq: false,
  aliasDuplicateObjects: false,
  defaultStringType: "PLAIN",
  defaultKeyType: "PLAIN",
} as const;

/** One object as a YAML document with its final line break. */
export function toYaml(object: unknown): string {
  return stringify(object, STYLE);
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
