/** Decodes the bytes of every input as text, or reports a finding; enforces the size limits. */
import { type Finding, findingInFile, type Words } from "./finding.ts";
import { utf8Text, withoutByteOrderMarks } from "./utf8-text.ts";

/** No cluster has so much policy, and the parsed input still fits into node's default memory. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** One limit for all that a run reads: links multiply a file, and each byte of YAML takes some twenty in memory. */
export class InputBytes {
  readonly #findings: Finding[];
  #read = 0;
  #isFull = false;

  /** @param findings the list that gets the problems */
  constructor(findings: Finding[]) {
    this.#findings = findings;
  }

  /** Whether the limit is reached. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /**
   * Whether that many more bytes may be read. After the first refusal nothing more is read, and it is reported once.
   */
  fits(file: string, size: number): boolean {
    if (this.#isFull) return false;
    const refusal = this.#refusal(size);
    if (refusal !== undefined) this.#findings.push(findingInFile("input-limit", file, refusal));
    return refusal === undefined;
  }

  /** Undefined if the bytes are not text. */
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
    const message = `brings the input to more than the ${LIMIT} MiB that anp reads in all; the rest is not read`;
    return { message, hint: "name fewer paths; a file counts each time that a link leads to it" };
  }
}

const MEBIBYTE = 1024 * 1024;
const LIMIT = MAX_INPUT_BYTES / MEBIBYTE;

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MEBIBYTE);
}
