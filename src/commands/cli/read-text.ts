/** Reads the text of a file that an option names. */
import { utf8Text } from "../../krm/read/input-bytes.ts";
import { readError } from "../../krm/read/read-file.ts";
import type { Context } from "./context.ts";
import { UnreadableError } from "./unreadable-error.ts";

/** Also reads saved AWS output and catalogues. */
export function readText(path: string, { files }: Context): string {
  const text = utf8Text(attempt(path, () => files.read(path)));
  if (typeof text === "string") return text;
  throw new UnreadableError(path, text.message, text.hint);
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableError(path, readError(error as NodeJS.ErrnoException, path).message);
  }
}
