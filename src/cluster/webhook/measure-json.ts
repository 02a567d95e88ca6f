/** How many values a JSON text has, how wide and how deep it is, told without making any of it. */

export interface JsonMeasure {
  /** At least as many as there are. */
  readonly values: number;
  /** Entries of the largest object or list. */
  readonly width: number;
  readonly depth: number;
  /** An integer that JavaScript's numbers may not hold; fewer digits are always exact. */
  readonly hasLongNumber: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const LONG_DIGITS = 16;

/** More than that is never asked for, and would be a stack of its own. */
const MAX_DEPTH = 1000;

/**
 * Memory follows the number of values, not of bytes: 60 MiB of `{},` are twenty million objects. Each value but the
 * first of its list or object follows a comma, so commas and opening brackets are as many as there are values, or more.
 *
 * @param most measuring ends where there are more values, or a thousand levels
 */
export function measureJson(text: string, most: number): JsonMeasure {
  const open: number[] = [];
  let [values, width, depth, digits, hasLongNumber] = [1, 0, 0, 0, false];
  for (let at = 0; at < text.length && values <= most && depth <= MAX_DEPTH; at++) {
    const sign = text.charCodeAt(at);
    digits = sign >= ZERO && sign <= NINE ? digits + 1 : 0;
    hasLongNumber ||= digits >= LONG_DIGITS;
    if (sign === QUOTE) at = endOfText(text, at);
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      values++;
      depth = Math.max(depth, open.push(1));
      width = Math.max(width, 1);
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) open.pop();
    else if (sign === COMMA) {
      values++;
      if (open.length > 0) width = Math.max(width, ++open[open.length - 1]!);
    }
  }
  return { values, width, depth, hasLongNumber };
}

/** The place of the quote that ends a text; the end of everything where none does. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return text.length;
}
