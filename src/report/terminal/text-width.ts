/** How many columns of a terminal text takes, and text cut and filled to as many. */

/** What nearly all text is made of takes a column a character: hundreds of rows are measured for each frame. */
const ASCII = /^[ -~]*$/;

const ON_OTHERS = /^[\p{Mn}\p{Me}]$|^[\u200b-\u200d]$/u;

/** East Asian wide and full-width characters, and what is drawn as a picture. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;

/** None for marks on others, two for wide characters, one for the rest. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += ON_OTHERS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** Of the widest text. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, textWidth(text)), 0);
}

interface Filling {
  /** For numbers, which are compared by their last digits. */
  readonly right?: boolean | undefined;
  /** Of the text; the blanks have no colour. */
  readonly paint?: ((text: string) => string) | undefined;
}

/** With blanks up to the width; a text that is wider stays whole. */
export function padTo(text: string, width: number, { right = false, paint = String }: Filling = {}): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  const painted = text === "" ? "" : paint(text);
  return right ? `${space}${painted}` : `${painted}${space}`;
}

/** At most `width` columns; what is cut ends with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width <= 0 ? "" : `${startOf(text, width - 1).trimEnd()}…`;
}

/** The same of a line that has colours: they take no column, and none is cut off. */
export function cutPainted(line: string, width: number): string {
  // oxlint-disable-next-line no-control-regex -- this is how a style paints
  const parts = line.split(/(\u001b\[[\d;]*m)/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  if (textWidth(texts.join("")) <= width) return line;
  let room = width - 1;
  const cut = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const taken = startOf(part, room);
    // What does not fit leaves no room for what follows.
    room = taken === part ? room - textWidth(taken) : 0;
    return taken;
  });
  return `${cut.join("")}…`;
}

/** As many whole characters from the start as fit. */
export function startOf(text: string, width: number): string {
  let taken = "";
  let room = width;
  for (const character of text) {
    room -= textWidth(character);
    if (room < 0) break;
    taken += character;
  }
  return taken;
}
