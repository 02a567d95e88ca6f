/** Reads the bytes of one file, within a limit. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";

/**
 * The bytes, or a lower bound of their number if there are too many. Pipes, devices and kernel files report no size.
 */
export function readWithinLimit(path: string, limit: number): Buffer | number {
  const kind = statSync(path);
  if (kind.isFile() && kind.size > 0) return kind.size > limit ? kind.size : readFileSync(path);
  const descriptor = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    while (size <= limit) {
      const chunk = Buffer.alloc(64 * 1024);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
      size += length;
    }
    return size;
  } finally {
    closeSync(descriptor);
  }
}
