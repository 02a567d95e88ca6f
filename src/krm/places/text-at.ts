/** Reads texts at a path of an object, such as a name or labels. */
import { isFields } from "../values/fields.ts";
import { type FieldPath, valueAt } from "./field-path.ts";

/** A string that is present and not empty. */
export function textAt(object: unknown, path: FieldPath): string | undefined {
  const value = valueAt(object, path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The string values of a mapping, such as labels. Other values are left out. */
export function textsAt(object: unknown, path: FieldPath): Record<string, string> {
  const value = valueAt(object, path);
  const entries = isFields(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
