/** Judges the bytes of every input: their text, or a finding that says why they have none. */
import { type Finding, findingInFile, type Words } from "./finding.ts";
import { utf8Text, withoutByteOrderMarks } from "./utf8-text.ts";

/** No cluster has so much policy. What it comes to fits into the memory that node takes by itself. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** One limit for all that a run reads: links multiply a file, and each byte of YAML takes some twenty in memory. */
export class InputBytes {
  readonly #findings: Finding[];
  #read = 0;
  #isFull = false;

  /** @param findings where what is wrong is put down */
  constructor(findings: Finding[]) {
    this.#findings = findings;
  }

  /** Whether nothing more is read. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether that many more may be read; once they may not, nothing more is, and it is said once. */
  fits(file: string, size: number): boolean {
    if (this.#isFull) return false;
    const refusal = this.#refusal(size);
    if (refusal !== undefined) this.#findings.push(findingInFile("input-limit", file, refusal));
    return refusal === undefined;
  }

  /** Undefined for what is no text. */
  textOf(file: string, bytes: Uint8Array): string | undefined {
    const text = utf8Text(bytes);
    if (typeof text === "string") return withoutByteOrderMarks(text);
    this.#findings.push(findingInFile("not-utf8", file, text));
    return undefined;
  }

  #refusal(size: number): Words | undefined {
    if (size > MAX_INPUT_BYTES) {
      const message = `is ${mebibytes(size)} MiB, more than the ${LIMIT} MiB that anp reads`;
      return { message, hint: "split the file" };
    }
    this.#read += size;
    if (this.#read <= MAX_INPUT_BYTES) return undefined;
    this.#isFull = true;
    const message = `brings what is read to more than the ${LIMIT} MiB that anp reads in all; what comes after it is not read`;
    return { message, hint: "name fewer paths; a file counts each time that a link leads to it" };
  }
}

const MEBIBYTE = 1024 * 1024;
const LIMIT = MAX_INPUT_BYTES / MEBIBYTE;

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MEBIBYTE);
}
