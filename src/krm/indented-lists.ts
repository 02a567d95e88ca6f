/** YAML as toYaml writes it, with lists further to the right than their keys: lines in, the same values in the other style out. */

const INDENT = 2;

export function withIndentedLists(lines: readonly string[]): string[] {
  // Columns of the keys whose lists are open, and of the key whose block scalar is.
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

/** A key may stand behind the dashes of the list that it is in. */
function keyColumn(line: string): number {
  return /^(?: |- )*/.exec(line)![0].length;
}
