/** The table cells of an object by the printer columns of its CRD, as in the API server. */
import { jsonText } from "../../krm/exact-integer.ts";
import { valueAt } from "../../krm/field-path.ts";
import type { PrinterColumn } from "../../model/crd.ts";
import { humanDuration } from "../nodes/human-duration.ts";
import { parseRfc3339 } from "../../model/rfc3339.ts";

/** @param now milliseconds since 1970, for ages */
export function printerCells(object: unknown, columns: readonly PrinterColumn[], now: number): string[] {
  return columns.map(({ type, jsonPath }) => {
    const value = find(object, jsonPath) ?? find(object, OLDER[jsonPath]);
    switch (type) {
      case "date":
        return age(value, now);
      case "integer":
        return typeof value === "number" ? String(Math.trunc(value)) : typeof value === "bigint" ? String(value) : "";
      case "string":
        return text(value);
    }
  });
}

/** Karpenter before 1.8 counted nodes among the resources only. */
const OLDER: Readonly<Record<string, string>> = { ".status.nodes": ".status.resources.nodes" };

/** An object in a file has no creation time. kubectl prints `<unknown>` for that. */
function age(created: unknown, now: number): string {
  if (created === undefined || created === null) return "<unknown>";
  const time = typeof created === "string" ? parseRfc3339(created) : undefined;
  return time === undefined ? "<invalid>" : humanDuration(now - time);
}

/** An absent value is an empty cell, as in the API server. */
function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? jsonText(value) : String(value);
}

/** One step of the JSONPath of a column: a field with escaped dots, or the list entry with a given value. */
const STEP = /\.((?:\\.|[^.[\\])+)|\[\?\(@\.(\w+)=="([^"]*)"\)\]/g;

function find(object: unknown, jsonPath: string | undefined): unknown {
  let value: unknown = jsonPath === undefined ? undefined : object;
  for (const [, field, key, wanted] of jsonPath?.matchAll(STEP) ?? []) {
    if (field !== undefined) value = valueAt(value, [field.replaceAll("\\", "")]);
    else value = Array.isArray(value) ? value.find((entry) => valueAt(entry, [key ?? ""]) === wanted) : undefined;
  }
  return value;
}
