/** Plain data compared by value, and as a text that is the same for equal data. */

/** Keys are sorted, absent ones left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "absent";
}

/** The value is copied first: JSON.stringify with a replacer, called for each part, takes twice as long. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).toSorted()) {
    const part = (value as Record<string, unknown>)[key];
    if (part === undefined || part === null) continue;
    if (key === "__proto__") Object.defineProperty(copy, key, { value: sorted(part), enumerable: true });
    else copy[key] = sorted(part);
  }
  return copy;
}

/** Compares two values of plain data: order counts in lists and not in mappings. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return (
    left.length === Object.keys(b).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && sameValue(value, right[key]))
  );
}
