/** Text of several lines as a literal block of YAML, where that keeps every character. */
import { withoutEnding } from "./without-ending.ts";

/** Lines that a literal block keeps as they are: no indentation at the start, no trailing space, nothing unprintable. */
export function fitsLiteral(text: string): boolean {
  const [first = "", ...others] = text.split("\n");
  if (hasCommandLine(text)) return false;
  if (!/^[!-~¡-퟿]/.test(first) || (first.length > 1 && !/\S$/.test(first))) return false;
  return others.every((line) => line === "" || (/^[ -~¡-퟿]*$/.test(line) && !line.endsWith(" ")));
}

/** A runner obeys such a line also in the middle of a manifest that is printed (report/terminal/printable.ts). */
function hasCommandLine(text: string): boolean {
  return /^[^\S\n\r\u2028\u2029]*::/m.test(text);
}

export function literalBlock(text: string, indent: string): string {
  const breaks = text.length - withoutEnding(text, "\n").length;
  const chomp = breaks === 0 ? "-" : breaks === 1 ? "" : "+";
  const lines = text.slice(0, breaks === 0 ? undefined : -1).split("\n");
  return `|${chomp}\n${lines.map((line) => (line === "" ? "" : indent + line)).join("\n")}`;
}
