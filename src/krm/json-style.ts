/** Reads JSON as programs such as kubectl write it, where YAML would read it the same. */
import type { PlainDocument } from "./plain-style.ts";
import { MAX_DEPTH } from "./yaml-options.ts";

/** A string, with the quote that ends it and the colon that makes it a key; a number; or a bracket. */
const TOKEN = /"((?:[^"\\]|\\.)*)("( *:)?)?|(-?\d[\d.eE+-]*)|[{[]|[}\]]/g;
/** YAML knows no longer keys. */
const LONGEST_KEY = 1000;
/** Numbers that JavaScript rounds, and the negative zero, are the library's. */
const EXACT = /^(?:-?[1-9]\d{0,14}|0)$|[.eE]/;

/**
 * The engine reads JSON fifty times as fast as the library does, and a dump of a large cluster has tens of megabytes.
 * It lets slips pass, though: a key that is given twice, a rounded number, a nesting without end. So the text is looked
 * through for these, and is undefined where there is any doubt: the library reads it then.
 */
export function readJsonStyle(text: string): PlainDocument[] | undefined {
  // A tab is no indentation in YAML, and carriage returns end lines in other ways.
  if (!/^[ \n]*\{/.test(text) || /[\t\r]/.test(text)) return undefined;
  const keys = keysIn(text);
  if (keys === undefined) return undefined;
  const value = parsed(text);
  // Of a key that is given twice, the engine keeps the second.
  if (value === undefined || countKeys(value) !== keys) return undefined;
  return [{ value, start: 0, end: text.length }];
}

/** How many keys are written down; undefined where a token is of another style. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
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
