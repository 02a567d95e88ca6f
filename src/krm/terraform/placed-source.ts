/** A manifest of pieces, as a source whose characters lead to where they were written. */
import type { Source } from "../places/source.ts";
import { joined, type Piece, unknownPiece } from "./values.ts";

interface PlacedSource {
  readonly source: Source;
  /** Values that answers must not show, with what they show instead. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** @param near the file that asks for the manifest */
export function placedSource(given: readonly Piece[], near: Source, folder: string): PlacedSource {
  const pieces = given
    .filter(({ text }) => text !== "")
    .map((piece) => (piece.isPath ? unknownPiece("path.module", piece.place) : piece));
  const text = joined(pieces);
  const starts: number[] = [];
  let length = 0;
  for (const piece of pieces) {
    starts.push(length);
    length += piece.text.length;
  }
  const origin: NonNullable<Source["origin"]> = (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    // The quotes around a value are the template's, and what is in them was written elsewhere.
    const quote = text[offset];
    const isQuote = (quote === '"' || quote === "'") && starts[low + 1] === offset + 1;
    if (isQuote && text[offset + 1 + pieces[low + 1]!.text.length] === quote) low += 1;
    const piece = pieces[low];
    if (piece === undefined) return { source: near, offset: 0 };
    // An object is where its manifest is, also if its name is a variable.
    const before = pieces[low - 1];
    if (before !== undefined && before.place.source !== piece.place.source && isAtName(text, starts[low]!))
      return { source: before.place.source, offset: before.place.offset + before.text.length };
    const within = piece.isUnknown ? 0 : Math.max(0, Math.min(offset - starts[low]!, piece.text.length));
    return { source: piece.place.source, offset: piece.place.offset + within };
  };
  const source: Source = {
    file: near.file,
    folder,
    text,
    written: written(pieces),
    explicit: false,
    trusted: near.trusted,
    config: false,
    origin,
  };
  return { source, hidden: hiddenIn(pieces, text, starts) };
}

/** Whether only the key of a name is before it on its line. */
function isAtName(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return offset - start < LONGEST_HEAD && /^ *name: *["']?$/.test(text.slice(start, offset));
}

const LONGEST_HEAD = 100;

/** The placeholders as Terraform spells them. */
function written(pieces: readonly Piece[]): string {
  return pieces.map(({ text, isUnknown }) => (isUnknown ? `\${${text.slice(2, -1)}}` : text)).join("");
}

/** Also the words that a value is a part of: a value is only recognised as a whole word. */
function hiddenIn(pieces: readonly Piece[], text: string, starts: readonly number[]): ReadonlyMap<string, string> {
  const hidden = new Map<string, string>();
  for (const [index, piece] of pieces.entries()) {
    if (piece.hidden === undefined || /^(?:.?|true|false|null)$/.test(piece.text)) continue;
    hidden.set(piece.text, piece.hidden);
    const start = starts[index]!;
    const end = start + piece.text.length;
    let [from, to] = [start, end];
    while (start - from < LONGEST_WORD && /\w/.test(text[from - 1] ?? "")) from -= 1;
    while (to - end < LONGEST_WORD && /\w/.test(text[to] ?? "")) to += 1;
    if (from < start || to > end)
      hidden.set(text.slice(from, to), text.slice(from, start) + piece.hidden + text.slice(end, to));
  }
  return hidden;
}

const LONGEST_WORD = 300;
