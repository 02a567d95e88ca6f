/** Integers that JavaScript's numbers would round: read as BigInt, and written as JSON. */

/** @param text an integer as JavaScript and YAML 1.2 both write one */
export function exactInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** JSON with all digits of every integer; JSON.stringify itself throws at a BigInt. */
export function jsonText(value: unknown, indent?: number | string): string {
  try {
    // Nearly nothing has one, and to ask for each part of a value takes several times as long.
    return JSON.stringify(value, undefined, indent) ?? "null";
  } catch {
    const exact = (_key: string, part: unknown): unknown => (typeof part === "bigint" ? rawJSON(String(part)) : part);
    return JSON.stringify(value, exact, indent) ?? "null";
  }
}

// TypeScript's library does not know it yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };
