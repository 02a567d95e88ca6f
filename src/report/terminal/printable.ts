/** Text of the input that steers neither a terminal nor whoever runs the program. */

/** Escapes and line ends of every kind, and what turns or hides text: other directions of reading, signs without width. */
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What nearly all text is made of, and all of it stays. */
const ASCII = /^[ -~]*$/;

/** A piece of a line. */
export function printable(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replaceAll("\t", " ").replaceAll(CONTROL, "\u{fffd}");
}

/** What joins characters or picks their looks: terminals do not agree on the width of what comes of it. */
const JOINERS = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu;

/** One line of known width, with single blanks. */
export function oneLine(text: string): string {
  if (ASCII.test(text) && !text.includes("  ")) return text.trim();
  return printable(text.replaceAll(/\s+/g, " ").trim()).replaceAll(JOINERS, "");
}

/**
 * A text of lines, each of which was made of pieces. A runner of GitHub obeys lines that begin with `::`, blanks before
 * it or not (actions/runner, ActionCommand.TryParseV2), and `##[` wherever it stands (TryParse); one of Azure obeys
 * `##vso[`. With a blank between the signs they are read by people alone.
 */
export function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, "$1: ").replaceAll(/##(?=\[|vso\[)/g, "# #");
}

/** Lines that somebody else wrote: of an error, of a note. */
export function printableLines(text: string): string {
  return withoutCommands(text.split("\n").map(printable).join("\n"));
}

/** JSON with the same characters as escapes, and what a runner obeys: programs read the same, others nothing. */
export function printableJson(text: string): string {
  return text
    .replaceAll(CONTROL, (sign) => (sign === "\n" ? sign : escaped(sign)))
    .replaceAll(/##(?=\[|vso\[)/g, (marks) => escaped(marks));
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A text, cut where one name or value would push everything else out of sight. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most)}…`;
}
