/** Reads the text of a file that an option names. */
import type { Resource } from "../../krm/places/resource.ts";
import { utf8Text } from "../../krm/read/input-bytes.ts";
import { readError } from "../../krm/read/read-file.ts";
import type { Context } from "./context.ts";
import { UnreadableError } from "./exit-codes.ts";

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

/** Relative to the RenderConfig, so that its authors own both; to the working directory for one from a stream. */
export function configPath({ document }: Resource, path: string): string {
  const { file } = document.source;
  const folder = file.includes("/") && !path.startsWith("/") ? file.slice(0, file.lastIndexOf("/") + 1) : "";
  return `${folder}${path}`;
}
