/** Parses JSON so that integers too long for JavaScript's numbers are written as they were read. */

/**
 * @param hasLongNumber looking at every value costs many times the parsing
 * @throws SyntaxError for what is no JSON
 */
export function parseExactly(text: string, hasLongNumber: boolean): unknown {
  return hasLongNumber ? parse(text, exact) : JSON.parse(text);
}

interface RawJson {
  readonly parse: (text: string, reviver: typeof exact) => unknown;
  readonly rawJSON: (text: string) => object;
}
// TypeScript's library does not know them yet.
const { parse, rawJSON } = JSON as unknown as RawJson;

function exact(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === "number" && source !== undefined && String(value) !== source && /\d{16}/.test(source)
    ? rawJSON(source)
    : value;
}
