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

/**
 * What is left of `room` beside a value's strings and keys, and as much as one for all else; below zero where it does not
 * fit. Aliases make a long value of a short document: nothing is walked any more once there is no room.
 */
export function roomBeside(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  let left = room - 1;
  if (typeof value !== "object" || value === null) return left;
  const counts = !Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    if (left < 0) return left;
    left = roomBeside(part, counts ? left - key.length : left);
  }
  return left;
}
