/** Makes text of the input harmless for terminals and CI runners. */

/** Control characters and line ends of every kind, and characters that reorder or hide text. */
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Nearly all text matches this and needs no change. */
const ASCII = /^[ -~]*$/;

/** A piece of a line. */
export function printable(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replaceAll("\t", " ").replaceAll(CONTROL, "\u{fffd}");
}

/** Characters that join others or change their look: terminals disagree on the width of the result. */
const JOINERS = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu;

/** One line of known width, with single blanks. */
export function oneLine(text: string): string {
  if (ASCII.test(text) && !text.includes("  ")) return text.trim();
  return printable(text.replaceAll(/\s+/g, " ").trim()).replaceAll(JOINERS, "");
}

/**
 * A text of lines made of pieces. A GitHub runner executes lines that begin with `::`, with or without blanks before it
 * (actions/runner, ActionCommand.TryParseV2), and `##[` anywhere in a line (TryParse); an Azure runner executes
 * `##vso[`. A blank between the characters prevents that.
 */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, "$1: ").replaceAll(/##(?=\[|vso\[)/g, "# #");
}

/** Lines from elsewhere, such as of an error or a note. */
export function printableLines(text: string): string {
  return withoutCommands(text.split("\n").map(printable).join("\n"));
}

/** JSON with escapes for the same characters and for runner commands, which programs read as the same values. */
export function printableJson(text: string): string {
  return text
    .replaceAll(CONTROL, (sign) => (sign === "\n" ? sign : escaped(sign)))
    .replaceAll(/##(?=\[|vso\[)/g, (marks) => escaped(marks));
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A text, cut if it is longer than `most`. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most)}…`;
}
