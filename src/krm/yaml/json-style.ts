/** Reads JSON as programs such as kubectl write it, if YAML would read it the same. */
import type { PlainDocument } from "./plain-style.ts";
import { MAX_DEPTH } from "./yaml-options.ts";

/** A string with its closing quote and the colon that makes it a key; a number; or a bracket. */
const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)("( *:)?)?|(-?\d[\d.eE+-]*)|[{[]|[}\]]/g;
/** YAML limits keys to this length. */
const LONGEST_KEY = 1000;
/** Numbers that JavaScript rounds, and the negative zero, are left to the library. */
const EXACT = /^(?:-?[1-9]\d{0,14}|0)$|[.eE]/;

/**
 * The engine reads JSON fifty times as fast as the library, and a dump of a large cluster has tens of megabytes. But it
 * accepts duplicate keys, rounded numbers and endless nesting. The text is searched for these first; in doubt the
 * answer is undefined, and the library reads it.
 */
export function readJsonStyle(text: string): PlainDocument[] | undefined {
  // YAML forbids tabs as indentation, and carriage returns end lines in other ways.
  if (!/^[ \n]*\{/.test(text) || /[\t\r]/.test(text)) return undefined;
  const keys = attempt(() => keysIn(text));
  if (keys === undefined) return undefined;
  const value = attempt(() => JSON.parse(text) as unknown);
  // The engine keeps the second of two equal keys.
  if (value === undefined || countKeys(value) !== keys) return undefined;
  return [{ value, start: 0, end: text.length }];
}

/** The number of keys; undefined if a token is in another style. */
function keysIn(text: string): number | undefined {
  let keys = 0;
  let depth = 0;
  for (const [token, string, closing, colon, number] of text.matchAll(TOKEN)) {
    if (string !== undefined && closing === undefined) return undefined;
    if (number !== undefined) {
      if (!EXACT.test(number)) return undefined;
    } else if (string === undefined) {
      depth += token === "{" || token === "[" ? 1 : -1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (colon !== undefined) {
      if (string.length > LONGEST_KEY) return undefined;
      keys += 1;
    }
  }
  return keys;
}

/** The engine throws if the text is not JSON, or if a pattern needs more stack than there is. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else for (const item of Object.values(value)) count += 1 + countKeys(item);
  return count;
}
