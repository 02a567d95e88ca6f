/** Parts of a YAML text that are there or not: their fields stay, with an unknown value. */
import { joined, type Piece, type Place, sliceOf, unknownPiece } from "./values.ts";

/**
 * What stands for texts of which one, any number or none is written.
 * @param name of what decides about them
 */
export function unknownLines(branches: readonly (readonly Piece[])[], name: string, place: Place): Piece[] {
  const texts = branches.map(joined);
  if (texts.every((text) => isBlank(text))) return [];
  if (texts.every((text) => !text.includes("\n"))) return [unknownPiece(name, place)];
  const heads = new Map<string, Piece[]>();
  let end: Piece[] = [];
  let begin: Piece[] = [];
  for (const [index, pieces] of branches.entries()) {
    const text = texts[index]!;
    const lines = linesIn(text);
    const indent = Math.min(...lines.map((line) => (isBlank(line.text) ? Infinity : line.indent)));
    for (const { text: line, start, indent: own } of lines) {
      const head = own === indent && !isBlank(line) ? headOf(line) : undefined;
      if (head !== undefined && !heads.has(head)) heads.set(head, sliceOf(pieces, start, start + head.length));
    }
    if (isBlank(text)) continue;
    // The line on which it begins may have been begun before it, and the one on which it ends goes on after it.
    if (/^[ \t]*\n/.test(text)) begin = [{ text: "\n", place }];
    const last = text.slice(text.lastIndexOf("\n") + 1);
    end = isBlank(last) ? sliceOf(pieces, text.length - last.length, text.length) : [];
  }
  const space: Piece = { text: " ", place };
  const unknown: Piece[] = [unknownPiece(name, place), { text: "\n", place }];
  const lines = [...heads].flatMap(([head, pieces]) => [...pieces, ...(head.endsWith(":") ? [space] : []), ...unknown]);
  return [...begin, ...lines, ...end];
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly indent: number;
}

function linesIn(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const at = start;
    start += line.length + 1;
    return { text: line, start: at, indent: line.search(/\S|$/) };
  });
}

function isBlank(text: string): boolean {
  return text.split("\n").every((line) => /^\s*(?:#|$)/.test(line));
}

/** The indent of a line with its key or dash. */
function headOf(line: string): string {
  const [dash] = /^\s*- /.exec(line) ?? [];
  if (dash !== undefined) return dash;
  const [key] = /^\s*(?:"[^"]*"|'[^']*'|[^\s"'#][^:]*):(?= |$)/.exec(line) ?? [];
  // Another line stands for itself.
  return key ?? /^\s*/.exec(line)![0];
}
