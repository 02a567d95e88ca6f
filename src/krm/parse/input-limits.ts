/** Guards against input that is small on disk and huge in memory. */

/** The size of a document's value when every alias is followed: shared parts count each time that they are reached. */
export function measureValue(value: unknown): { size: number; depth: number } {
  const known = new Map<object, { size: number; depth: number }>();
  const measure = (part: unknown): { size: number; depth: number } => {
    if (typeof part !== "object" || part === null) return { size: 1, depth: 0 };
    const seen = known.get(part);
    if (seen !== undefined) return seen;
    // An object that is reached again while it is being measured contains itself: its size is infinite.
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

/**
 * The rest of `room` after a value's strings and keys, counting 1 for everything else; negative if it does not fit.
 * Aliases make a long value of a short document, so the walk ends as soon as there is no room.
 */
export function roomBeside(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  let left = room - 1;
  if (typeof value !== "object" || value === null) return left;
  // The keys of a list do not count, and listing those of a long one takes memory.
  const parts = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  if (parts !== value) for (const key of Object.keys(value)) left -= key.length;
  for (const part of parts) {
    if (left < 0) return left;
    left = roomBeside(part, left);
  }
  return left;
}
