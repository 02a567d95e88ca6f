/** Plain data as a text that is the same for equal data: keys sorted, absent ones left out. */

export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === "bigint") return String(part);
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      const entries = Object.entries(part).filter(([, item]) => item !== undefined && item !== null);
      return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? "absent"
  );
}
