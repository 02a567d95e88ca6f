/** Counts the values, width and depth of a JSON text without parsing it. */

export interface JsonMeasure {
  /** Never fewer than there are. */
  readonly values: number;
  /** Entries of the largest object or list. */
  readonly width: number;
  readonly depth: number;
  /** Whether an integer may be too long for JavaScript's numbers. Integers with fewer digits are exact. */
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

/** No limit is higher, and the stack of open brackets stays small. */
const MAX_DEPTH = 1000;

/**
 * The number of values determines the memory, not the number of bytes: 60 MiB of `{},` are twenty million objects. Each
 * value except the first of its list or object follows a comma, so there are at least as many commas and opening brackets
 * as values.
 *
 * @param most stops at more values than this, or at a thousand levels
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

/** The index of the closing quote of a string; the end of the text if there is none. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return text.length;
}
