/** Reads the bytes of one file, within a limit. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Words } from "../findings/finding.ts";

/** Messages and hints for the errors of reading a path. */
export const IS_FOLDER: Words = { message: "is a directory, and a file is needed here" };

export const IS_MISSING: Words = { message: "does not exist", hint: "check the path; a link may lead to nothing" };

export const LEADS_BACK: Words = { message: "is a link that leads back to itself" };

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

export function readError({ code, message }: Error & { code?: string | undefined }, path: string): Words {
  switch (code) {
    case "ENOENT":
      return path.includes("\ufffd") ? { message: "has a name that is not UTF-8", hint: "rename it" } : IS_MISSING;
    case "EACCES":
    case "EPERM":
      return {
        message: "may not be read: permission denied",
        hint: "give the user that runs anp permission to read it",
      };
    case "ELOOP":
      return LEADS_BACK;
    case "EISDIR":
      return IS_FOLDER;
    case "ENOTDIR":
      return { message: "does not exist: a part of the path is a file, not a directory" };
    default:
      return { message: `cannot be read: ${code ?? message}` };
  }
}
