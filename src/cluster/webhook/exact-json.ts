/** Parses JSON without changing integers that are too long for JavaScript's numbers. */

/**
 * @param hasLongNumber false uses plain parsing, because visiting each value is many times slower
 * @throws SyntaxError if the text is not JSON
 */
export function parseExactly(text: string, hasLongNumber: boolean): unknown {
  return hasLongNumber ? parse(text, exact) : JSON.parse(text);
}

interface RawJson {
  readonly parse: (text: string, reviver: typeof exact) => unknown;
  readonly rawJSON: (text: string) => object;
}
// TypeScript's library does not have them yet.
const { parse, rawJSON } = JSON as unknown as RawJson;

function exact(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source && /\d{16}/.test(source)
    ? rawJSON(source)
    : value;
}
