/** The width of text in terminal columns, text cut and padded to a width, and shares as bars. */

/** Nearly all text takes one column per character. This fast path matters for hundreds of rows in each frame. */
const ASCII = /^[ -~]*$/;

const ON_OTHERS = /^[\p{Mn}\p{Me}]$|^[\u200b-\u200d]$/u;

/** East Asian wide and full-width characters, and emoji. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;

/** No column for combining marks, two for wide characters, one for the rest. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += ON_OTHERS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** The width of the widest text. */
export function widestOf(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, textWidth(text)), 0);
}

interface Filling {
  /** Whether to align to the right, for numbers. */
  readonly right?: boolean | undefined;
  /** Colours the text, but not the blanks. */
  readonly paint?: ((text: string) => string) | undefined;
}

/** Pads with blanks to the width; a wider text stays whole. */
export function padTo(text: string, width: number, { right = false, paint = String }: Filling = {}): string {
  const space = " ".repeat(Math.max(0, width - textWidth(text)));
  const painted = text === "" ? "" : paint(text);
  return right ? `${space}${painted}` : `${painted}${space}`;
}

/** At most `width` columns; a cut text ends with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width <= 0 ? "" : `${startOf(text, width - 1).trimEnd()}…`;
}

/** The same for a line with colours, which take no column and are all kept. */
export function cutPainted(line: string, width: number): string {
  // oxlint-disable-next-line no-control-regex -- this is how a style paints
  const parts = line.split(/(\u001b\[[\d;]*m)/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  if (textWidth(texts.join("")) <= width) return line;
  let room = width - 1;
  const cut = parts.map((part, index) => {
    if (index % 2 === 1) return part;
    const taken = startOf(part, room);
    // Text that does not fit leaves no room for later text.
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

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A share from 0 to 1 as a bar of block characters. Any share above 0 is visible; only a share of 1 fills the bar. */
export function shareBar(share: number, width: number): string {
  const all = width * 8;
  const eighths = share <= 0 ? 0 : share >= 1 ? all : Math.min(all - 1, Math.max(1, Math.round(share * all)));
  const full = Math.floor(eighths / 8);
  return `${"█".repeat(full)}${EIGHTHS[eighths % 8]!}`.padEnd(width, "░");
}
