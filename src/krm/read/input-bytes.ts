/** Decodes the bytes of every input as text, or reports a finding; enforces the size limits. */
import { type Finding, findingInFile, type Words } from "../findings/finding.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

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

/** The text without a byte order mark at its start. */
export function utf8Text(bytes: Uint8Array): string | Words {
  try {
    return UTF8.decode(bytes);
  } catch {
    // PowerShell before version 6 writes this for `… > file`.
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const message = utf16 ? "is UTF-16, and must be UTF-8" : "holds bytes that are not UTF-8";
    return { message, hint: "save the file as UTF-8" };
  }
}

/** YAML allows byte order marks, and they belong to no value; `cat` leaves them before the first word of each file. */
export function withoutByteOrderMarks(text: string): string {
  return text.replaceAll(/^\ufeff/gm, "");
}
