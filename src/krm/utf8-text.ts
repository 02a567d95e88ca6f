/** Decodes bytes as UTF-8, or reports why they are not UTF-8. */
import type { Words } from "./finding.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

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
