/** Finds the lines of each item of a YAML block list. */

export interface Section {
  readonly start: number;
  readonly end: number;
}

/** An item with the comments above it. */
export interface ItemSection extends Section {
  /** The line of its dash. */
  readonly dash: number;
}

/** @param list from the line of the first dash to the last line where the list may end */
export function eachItem(text: string, list: Section, indent: string): ItemSection[] {
  // No line of a value begins as far to the left as its item's dash.
  const dashes: number[] = [];
  const boundaries: number[] = [];
  let comment: number | undefined;
  for (let line = list.start; line < list.end; line = lineEnd(text, line)) {
    const rest = text.slice(line, lineEnd(text, line));
    if (rest.startsWith(indent) && /^-(?:\s|$)/.test(rest.slice(indent.length))) {
      dashes.push(line);
      boundaries.push(comment ?? line);
      comment = undefined;
    } else if (isCommentUpTo(rest, indent.length)) comment ??= line;
    else if (rest.trim() !== "") comment = undefined;
  }
  const ends = [...boundaries.slice(1), comment ?? list.end];
  return dashes.map((dash, index) => ({ start: index === 0 ? dash : boundaries[index]!, dash, end: ends[index]! }));
}

/** A comment that cannot be part of a block scalar, which would be indented further. */
function isCommentUpTo(line: string, column: number): boolean {
  const at = line.search(/\S/);
  return at !== -1 && at <= column && line[at] === "#";
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The offset after the line's break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at === -1 ? text.length : at + 1;
}
