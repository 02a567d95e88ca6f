/** A file that an option names in, its text out; the file names of a cloud's answers and catalogues come in here. */
import type { Context } from "./context.ts";
import { UnreadableError } from "./unreadable-error.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

export function readText(path: string, { files }: Context): string {
  const bytes = attempt(path, () => files.read(path));
  try {
    return UTF8.decode(bytes);
  } catch {
    // What PowerShell before version 6 writes for `aws … > file`.
    const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw new UnreadableError(path, utf16 ? "is UTF-16, and must be UTF-8" : "is not UTF-8", "save it as UTF-8");
  }
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnreadableError(path, WHY[code ?? ""] ?? `cannot be read: ${code ?? message}`);
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read: permission denied",
  EPERM: "may not be read: permission denied",
  EISDIR: "is a directory, and a file is needed here",
  ENOTDIR: "does not exist: a part of the path is a file, not a directory",
};
