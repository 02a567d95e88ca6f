/** Reads integers that JavaScript's numbers would round as BigInt, and writes them as JSON. */

/** @param text an integer in the form that JavaScript and YAML 1.2 share */
export function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** JSON with all digits of every integer; JSON.stringify throws on a BigInt. */
export function jsonText(value: unknown, indent?: number | string): string {
  try {
    // Few values hold a BigInt, and calling a replacer for each part takes several times as long.
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch {
    const exact = (_key: string, part: unknown): unknown => (typeof part === "bigint" ? rawJSON(String(part)) : part);
    return JSON.stringify(value, exact, indent) ?? "null";
  }
}

// TypeScript's library does not declare it yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };
