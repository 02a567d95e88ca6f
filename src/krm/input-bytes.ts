/** One limit for all that a run reads: links multiply a file, and each byte of YAML takes some twenty in memory. */
import type { Words } from "./finding.ts";

/** No cluster has so much policy. What it comes to fits into the memory that node takes by itself. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

export class InputBytes {
  #read = 0;
  #told = false;

  /** Whether there is room for as much more. */
  get isFull(): boolean {
    return this.#told;
  }

  /** Undefined where that many more may be read; once they may not, nothing more is, and it is said once. */
  refusal(size: number): Words | undefined {
    if (size > MAX_INPUT_BYTES) {
      const message = `is ${mebibytes(size)} MiB, more than the ${LIMIT} MiB that anp reads`;
      return { message, hint: "split the file" };
    }
    this.#read += size;
    if (this.#read <= MAX_INPUT_BYTES) return undefined;
    this.#told = true;
    const message = `brings what is read to more than the ${LIMIT} MiB that anp reads in all; what comes after it is not read`;
    return { message, hint: "name fewer paths; a file counts each time that a link leads to it" };
  }
}

const MEBIBYTE = 1024 * 1024;
const LIMIT = MAX_INPUT_BYTES / MEBIBYTE;

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MEBIBYTE);
}
