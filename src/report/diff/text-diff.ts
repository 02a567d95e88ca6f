/** Writes a unified diff of a file, which patch and git apply read. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from "diff";
import type { Style } from "../terminal/style.ts";
import { largeDiff } from "./large-diff.ts";

/** The time of the library grows with the square of the changed lines. */
const MOST_CHANGED_LINES = 200;

export function textDiff(file: string, before: string, after: string, style: Style): string {
  const name = file.replace(/^\//, "");
  const [oldFileName, newFileName] = [`a/${name}`, `b/${name}`];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MOST_CHANGED_LINES };
  const patch =
    createTwoFilesPatch(oldFileName, newFileName, before, after, undefined, undefined, options) ??
    formatPatch(
      { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: largeDiff(before, after) },
      FILE_HEADERS_ONLY,
    );
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
