/** Wraps text to a width, and puts lines behind a label or an indent. */
import { oneLine } from "./printable.ts";
import { startOf, textWidth } from "./text-width.ts";

/** A narrower column is hard to read. */
export const NARROWEST = 30;

/** A word that is longer than a line has its own line. */
export function wrapWords(words: readonly string[], width: number, between = "  "): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last}${between}${word}`;
    if (last === undefined || textWidth(longer) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** @param indent of every line, included in the width */
export function wrapText(text: string, width: number, indent = 0): string[] {
  if (textWidth(text) + indent <= width) return indented([text], indent);
  return indented(wrapWords(text.split(" "), width - indent, " "), indent);
}

/**
 * Splits words that are longer than a line, so that nothing is left out. Line breaks of the text are kept.
 *
 * @param indent of the lines after the first
 */
export function wrapWhole(text: string, width: number, indent = 0): string[] {
  const room = Math.max(1, width - indent);
  const lines = text.split("\n").flatMap((line) => {
    const words = oneLine(line)
      .split(" ")
      .flatMap((word) => piecesOf(word, room));
    return wrapWords(words, room, " ");
  });
  return hanging(lines, "", indent);
}

function piecesOf(word: string, width: number): string[] {
  const pieces: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    // A character that is wider than the whole line has its own line.
    const piece = startOf(rest, width) || [...rest][0]!;
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}

export function indented(lines: readonly string[], indent: number): string[] {
  return hanging(lines, " ".repeat(indent), indent);
}

/** The first line behind a label, the others aligned below. @param indent the width of the label, which may be painted */
export function hanging(lines: readonly string[], label: string, indent: number): string[] {
  return lines.map((line, index) => (index === 0 ? label : " ".repeat(indent)) + line);
}

interface Paragraph {
  readonly label: string;
  /** The width of the label. */
  readonly indent: number;
  /** If the width is too small for label and text, the text overflows. */
  readonly width: number;
  /** A colour for the words that the text begins with. */
  readonly lead?: Lead;
}

interface Lead {
  readonly words: string;
  readonly paint: (text: string) => string;
}

export function hangingText(text: string, { label, indent, width, lead }: Paragraph): string[] {
  const lines = wrapText(text, Math.max(NARROWEST, width - indent));
  return hanging(lead === undefined ? lines : paintLead(lines, lead), label, indent);
}

/** Colours nothing unless the first line contains all words. */
export function paintLead(lines: readonly string[], { words, paint }: Lead): string[] {
  const [first = "", ...others] = lines;
  return first.startsWith(words) ? [`${paint(words)}${first.slice(words.length)}`, ...others] : [...lines];
}

interface PaintedText {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
  /** Uncoloured text behind it. */
  readonly end?: string;
}

/**
 * Texts separated by a blank, each in its colour. Empty ones are left out.
 *
 * @param columns the width; undefined for one line @param indent of the lines after the first
 */
export function wrapPainted(
  texts: readonly PaintedText[],
  { columns, indent }: { readonly columns: number | undefined; readonly indent: number },
): string[] {
  const given = texts.filter(({ text }) => text !== "");
  if (columns === undefined) return [given.map(paintText).join(" ")];
  const words = given.flatMap(({ text, paint, end = "" }) => {
    const parts = text.split(" ");
    return parts.map((part, at) => ({ text: part, paint, end: at === parts.length - 1 ? end : "" }));
  });
  const lines = wrapWords(
    words.map(({ text, end }) => `${text}${end}`),
    Math.max(NARROWEST, columns - indent),
    " ",
  );
  let next = 0;
  const painted = lines.map((line) => {
    const count = line.split(" ").length;
    next += count;
    return words
      .slice(next - count, next)
      .map(paintText)
      .join(" ");
  });
  return hanging(painted, "", indent);
}

function paintText({ text, paint = String, end = "" }: PaintedText): string {
  return text === "" ? end : `${paint(text)}${end}`;
}
