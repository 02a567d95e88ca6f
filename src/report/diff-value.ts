/** A value of a manifest in, JSON out; integers that are larger than JavaScript's numbers keep all of their digits. */

export function jsonOf(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value,
    (_key, part: unknown) => (typeof part === "bigint" ? rawJSON(String(part)) : part),
    indent,
  );
  return text ?? "null";
}

const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
