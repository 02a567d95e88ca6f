/** Words in lines of at most `width` columns; a word that is longer stands alone. */
import { textWidth } from "./text-width.ts";

export function wrap(words: readonly string[], width: number, between = "  "): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last}${between}${word}`;
    if (last === undefined || textWidth([...longer]) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
