/** Text in lines of a width, with nothing left out. */
import { wrap } from "../terminal/wrap.ts";
import { oneLine, start, widthOf } from "./fit-text.ts";

/**
 * Words that are longer than a line go on in the next. Line breaks of the text stay.
 *
 * @param indent of the lines after the first
 */
export function wrapWhole(text: string, width: number, indent = 0): string[] {
  const room = Math.max(1, width - indent);
  const lines = text.split("\n").flatMap((line) => {
    const words = oneLine(line)
      .split(" ")
      .flatMap((word) => piecesOf(word, room));
    return wrap(words, room, " ");
  });
  return lines.map((line, index) => (index === 0 ? line : `${" ".repeat(indent)}${line}`));
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (widthOf(rest) > width) {
    // A character that is wider than all of the room stands alone.
    const piece = start(rest, width) || [...rest][0]!;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
