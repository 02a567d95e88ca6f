/** Pieces of an answer, gathered up to a length in one buffer that grows. */

/**
 * Any object fits: etcd takes none of more than 1.5 MiB (docs/upstream/hosts.md#sizes), and JSON writes some signs in
 * several bytes. What is longer is nobody's object, and as text and as values it would take many times as much memory.
 */
export const OBJECT_BYTES = 4 * 1024 * 1024;

export class TooLong extends Error {}

export interface GatheredBytes {
  /** @throws TooLong where there are more than there may be; nothing is kept of them */
  readonly add: (piece: Buffer) => void;
  /** All since the last time. */
  readonly take: () => string;
}

/** Kept for what comes next. */
const KEPT_BYTES = 64 * 1024;

/** A server may send single bytes: each of them kept as it came would take a hundred. */
export function gatheredBytes(most: number): GatheredBytes {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > most) {
        buffer = Buffer.alloc(0);
        length = 0;
        throw new TooLong();
      }
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(needed, buffer.length * 2)));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      piece.copy(buffer, length);
      length = needed;
    },
    take: () => {
      const text = buffer.toString("utf8", 0, length);
      if (buffer.length > KEPT_BYTES) buffer = Buffer.alloc(0);
      length = 0;
      return text;
    },
  };
}
