/** Writes a value as YAML on one line, such as `{ a: [1, x] }`. */
import { doubleQuoted, yamlKey, yamlScalar } from "./yaml-scalar.ts";

export function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    if (entries.length === 0) return "{}";
    return `{ ${entries.map(([key, item]) => `${inFlow(yamlKey(key), key)}: ${flowText(item)}`).join(", ")} }`;
  }
  return inFlow(yamlScalar(value, ""), value);
}

/** Commas and brackets are plain text elsewhere, but not in flow style. */
function inFlow(text: string, value: unknown): string {
  return typeof value === "string" && (/[\n,[\]{}]/.test(text) || text === "") ? doubleQuoted(value) : text;
}
