/** Text of any origin in, text of one line that takes exactly as many columns as it should out. */
import { printable } from "../terminal/printable.ts";
import { textWidth } from "../terminal/text-width.ts";

/** What joins characters or picks their looks: terminals do not agree on the width of what comes of it. */
const JOINERS = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu;

/** What nearly all text is made of takes a column a character: hundreds of rows are measured for each frame. */
const ASCII = /^[ -~]*$/;

/** One line without anything that steers a terminal. */
export function oneLine(text: string): string {
  if (ASCII.test(text) && !text.includes("  ")) return text.trim();
  return printable(text.replaceAll(/\s+/g, " ").trim()).replaceAll(JOINERS, "");
}

export function widthOf(line: string): number {
  return ASCII.test(line) ? line.length : textWidth([...line]);
}

/** At most `width` columns; what is cut ends with an ellipsis. */
export function cutTo(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  return width <= 0 ? "" : `${start(line, width - 1).trimEnd()}…`;
}

/** The same of a line that has colours: they take no column, and none is cut off. */
export function cutPainted(line: string, width: number): string {
  // oxlint-disable-next-line no-control-regex -- this is how a style paints
  const parts = line.split(/(\u001b\[[\d;]*m)/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  if (widthOf(texts.join("")) <= width) return line;
  let room = width - 1;
  const cut = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const taken = start(part, room);
    // What does not fit leaves no room for what follows.
    room = taken === part ? room - widthOf(taken) : 0;
    return taken;
  });
  return `${cut.join("")}…`;
}

export function padTo(line: string, width: number, right = false): string {
  const cut = cutTo(line, width);
  const space = " ".repeat(Math.max(0, width - widthOf(cut)));
  return right ? `${space}${cut}` : `${cut}${space}`;
}

/** As many whole characters from the start as fit. */
export function start(line: string, width: number): string {
  let taken = "";
  let room = width;
  for (const character of line) {
    room -= textWidth([character]);
    if (room < 0) break;
    taken += character;
  }
  return taken;
}
