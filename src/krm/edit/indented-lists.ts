/** Detects and writes lists that are indented below their keys. */

const INDENT = 2;

/** Decided by the first list that is the value of a field; comments may come between the two. */
export function listsAreIndented(text: string): boolean {
  let key: string | undefined;
  for (const line of text.split("\n")) {
    const dash = /^( *)- /.exec(line)?.[1];
    if (key !== undefined && dash !== undefined) return dash.length > key.length;
    if (/^ *#/.test(line)) continue;
    const lead = /^ *(?:- )*(?=[^\s#-])/.exec(line)?.[0];
    const opens = lead !== undefined && /:[ \t]*(?:#|\r?$)/.test(line.slice(lead.length + 1));
    key = opens ? lead : undefined;
  }
  return false;
}

/** @param lines as toYaml writes them */
export function withIndentedLists(lines: readonly string[]): string[] {
  // Columns of the keys with open lists, and of the key with the open block scalar.
  const open: number[] = [];
  let scalar: number | undefined;
  return lines.map((line, index) => {
    const column = line.search(/\S/);
    if (column === -1) return line;
    if (scalar !== undefined && column <= scalar) scalar = undefined;
    if (scalar !== undefined) return " ".repeat(open.length * INDENT) + line;
    while (open.length > 0 && endsList(line, column, open.at(-1)!)) open.pop();
    const shifted = " ".repeat(open.length * INDENT) + line;
    if (/(?::|-) [|>][-+]?$/.test(line)) scalar = /^[ -]*[|>]/.test(line) ? keyColumn(line) - INDENT : keyColumn(line);
    else if (line.endsWith(":") && lines[index + 1]?.startsWith(`${" ".repeat(keyColumn(line))}- `) === true)
      open.push(keyColumn(line));
    return shifted;
  });
}

function endsList(line: string, column: number, list: number): boolean {
  return column < list || (column === list && !line.startsWith("- ", column));
}

/** A key may come after the dashes of the list that it is in. */
function keyColumn(line: string): number {
  return /^(?: |- )*/.exec(line)![0].length;
}
