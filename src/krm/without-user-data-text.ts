/** Removes the user data of node classes from text that is shown, such as a diff. */

const KEY = /^(\s*(?:- )*)(?:userData|"userData"|'userData')\s*:/;
const SHOWN = "(not shown, because it is a secret)";

/** Whole lines in block style, values in JSON; any other line that may hold it loses its rest. */
export function withoutUserDataText(text: string): string {
  const lines: string[] = [];
  let inside: number | undefined;
  for (const line of text.split("\n")) {
    const column = line.search(/\S/);
    if (inside !== undefined && (column === -1 || column > inside)) continue;
    inside = undefined;
    const key = KEY.exec(line);
    if (key === null) lines.push(line.replace(/(userData(?:\\*["'])?\s*:)[^]*$/, `$1 ${SHOWN}`));
    else {
      inside = key[1]!.length;
      lines.push(`${key[0]} ${SHOWN}`);
    }
  }
  return lines.join("\n");
}
