/** Guards against input that is small on disk and huge in memory. */

/** What a document's value comes to when every alias is followed: shared parts count as often as they are reached. */
export function measureValue(value: unknown): { size: number; depth: number } {
  const known = new Map<object, { size: number; depth: number }>();
  const measure = (part: unknown): { size: number; depth: number } => {
    if (typeof part !== "object" || part === null) return { size: 1, depth: 0 };
    const seen = known.get(part);
    if (seen !== undefined) return seen;
    // An object that is reached again while it is being measured holds itself: endless.
    known.set(part, { size: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY });
    const total = { size: 1, depth: 0 };
    for (const item of Object.values(part)) {
      const { size, depth } = measure(item);
      total.size += size;
      total.depth = Math.max(total.depth, depth);
    }
    total.depth += 1;
    known.set(part, total);
    return total;
  };
  return measure(value);
}
