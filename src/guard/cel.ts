/** Values as literals of CEL, and integers as Karpenter reads them. */
import { MAX_INT64 } from "../model/int64.ts";

export function celString(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    // What is no printable ASCII is written by its code, so that no editor or shell changes it.
    .replace(/[^ -~]/gu, (character) => `\\U${character.codePointAt(0)!.toString(16).padStart(8, "0")}`);
  return `'${escaped}'`;
}

export function celStrings(texts: Iterable<string>): string {
  return `[${[...texts].map(celString).join(", ")}]`;
}

/** A value of a map with values of several types: the API server's CEL takes it only where each is `dyn`. */
function celDyn(value: unknown): string {
  return `dyn(${celValue(value)})`;
}

/** A map whose values are of several types. */
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
 * Whether a text is an integer to Go's strconv.Atoi (`atoi` in src/model/int64.ts). What passes, CEL's `int()` reads; of
 * nineteen digits that are too many it would make an error.
 */
export function isInteger(text: string): string {
  const short = `${text}.matches('^[+-]?0*[0-9]{1,18}$')`;
  const long = `${text}.matches('^[+-]?0*[1-9][0-9]{18}$')`;
  const digits = `${text}.substring(${text}.size() - 19)`;
  return `(${short} || ${long} && ${digits} <= (${text}.startsWith('-') ? '${MAX_INT64 + 1n}' : '${MAX_INT64}'))`;
}
