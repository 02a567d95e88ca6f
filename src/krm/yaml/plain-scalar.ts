/** Reads the scalars on one line that the plain style accepts. */
import { exactInteger } from "../values/exact-integer.ts";

/** Text in quotes without escapes. */
export const QUOTES = String.raw`"[^"\\\n\r]*"|'[^'\n\r]*'`;
/** A scalar without quotes must not begin with an indicator. */
export const FIRST = String.raw`(?:[A-Za-z0-9_./+]|-(?=[A-Za-z0-9_.]))`;

/** The library refuses longer keys. */
const LONGEST_KEY = 1000;

/**
 * Matches a sticky pattern at an offset. A text of megabytes can need more of the engine's stack than there is: that
 * counts as no match.
 */
export function matches(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  try {
    return pattern.exec(text) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether the reader leaves an object with this key to the library */
export function isOddKey(object: object, name: string): boolean {
  return name === "__proto__" || name === "<<" || name.length > LONGEST_KEY || Object.hasOwn(object, name);
}

/** A text with escapes is left to the library. */
export function unquoted(text: string): string {
  return text.slice(1, -1);
}

const LONGEST_WORD = "false".length;
const WORDS = new Map<string, unknown>([
  ["null", null],
  ["Null", null],
  ["NULL", null],
  ["true", true],
  ["True", true],
  ["TRUE", true],
  ["false", false],
  ["False", false],
  ["FALSE", false],
]);

/** Reads a plain scalar by YAML 1.2's core schema; integers that a number would round are exact. */
export function resolve(text: string): unknown {
  const first = text.charCodeAt(0);
  // Digits, signs and the dot sort before the letters. A longer text cannot be a keyword, and a lookup takes time.
  if (first > 57) return text.length <= LONGEST_WORD && WORDS.has(text) ? WORDS.get(text) : text;
  if (/^[-+]?[0-9]+$|^0o[0-7]+$|^0x[0-9a-fA-F]+$/.test(text)) return exactInteger(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text;
}
