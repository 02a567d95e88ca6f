/** A unified diff of a file, which patch and git apply read. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Style } from "../terminal/style.ts";

export function textDiff(file: string, before: string, after: string, style: Style): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const name = file.replace(/^\//, "");
  const patch = createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
  return patch
    .split("\n")
    .map((line) => coloured(line, style))
    .join("\n");
}

function coloured(line: string, style: Style): string {
  if (line.startsWith("--- ") || line.startsWith("+++ ")) return style.strong(line);
  if (line.startsWith("@@")) return style.info(line);
  if (line.startsWith("-")) return style.error(line);
  return line.startsWith("+") ? style.good(line) : line;
}
