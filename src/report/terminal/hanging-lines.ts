/** A paragraph under a label, its further lines indented as far as the first one's text. */
import { wrap } from "./wrap.ts";

interface Paragraph {
  /** What stands before the first line, painted already. */
  readonly label: string;
  /** Its columns. */
  readonly indent: number;
  readonly width: number;
  /** For the words that the text begins with. */
  readonly lead?: { readonly words: string; readonly paint: (text: string) => string };
}

export function hangingLines(text: string, { label, indent, width, lead }: Paragraph): string[] {
  return wrap(text.split(" "), Math.max(30, width - indent), " ").map((line, index) => {
    if (index > 0) return `${" ".repeat(indent)}${line}`;
    const painted = lead !== undefined && line.startsWith(lead.words);
    return `${label}${painted ? `${lead.paint(lead.words)}${line.slice(lead.words.length)}` : line}`;
  });
}
