/** Writes values as CEL literals, and CEL checks for integers as Karpenter parses them. */
import { MAX_INT64 } from "../model/values/int64.ts";

export function celString(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    // Characters other than printable ASCII are escaped, so that editors and shells do not change them.
    .replace(/[^ -~]/gu, (character) => `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`);
  return `'${escaped}'`;
}

export function celStrings(texts: Iterable<string>): string {
  return `[${[...texts].map(celString).join(", ")}]`;
}

/** A value in a map of mixed types: the API server's CEL requires `dyn` for each. */
function celDyn(value: unknown): string {
  return `dyn(${celValue(value)})`;
}

/** A map with values of mixed types. */
export function celMap(value: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}: ${celDyn(field)}`).join(", ")}}`;
}

function celValue(value: unknown): string {
  if (typeof value === "string") return celString(value);
  if (Array.isArray(value)) return celStrings(value as readonly string[]);
  if (typeof value === "object" && value !== null) return celMap(value as Readonly<Record<string, unknown>>);
  return String(value);
}

/**
 * Whether a string is an integer for Go's strconv.Atoi (`atoi` in src/model/values/int64.ts). CEL's `int()` can parse a
 * string that passes; it would fail on nineteen digits that are out of range.
 */
export function isInteger(text: string): string {
  const short = `${text}.matches('^[+-]?0*[0-9]{1,18}$')`;
  const long = `${text}.matches('^[+-]?0*[1-9][0-9]{18}$')`;
  const digits = `${text}.substring(${text}.size() - 19)`;
  return `(${short} || ${long} && ${digits} <= (${text}.startsWith('-') ? '${MAX_INT64 + 1n}' : '${MAX_INT64}'))`;
}
