/** A table as kubectl prints it, including blanks at the ends of lines. */
import { printable, withoutCommands } from "../terminal/printable.ts";

/** The settings of kubectl's tabwriter (cli-runtime's printers.GetNewTabWriter). */
const MIN_WIDTH = 6;
const PADDING = 3;

export function kubectlTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(oneLine))];
  const widths = titles.map((_, column) => {
    const cells = lines.map((line) => lengthOf(line[column] ?? "") + PADDING);
    return Math.max(MIN_WIDTH, ...cells);
  });
  const padded = (cell: string, column: number): string =>
    // The last cell is not padded, so an empty one leaves the blanks of the cells before it.
    column === titles.length - 1 ? cell : cell + " ".repeat(widths[column]! - lengthOf(cell));
  return withoutCommands(lines.map((line) => `${line.map(padded).join("")}\n`).join(""));
}

function oneLine(cell: string): string {
  const end = cell.search(/[\f\n\r]/);
  const line = end === -1 ? cell : `${cell.slice(0, end)}...`;
  return printable(line.replaceAll("\u001b", "^["));
}

/** Go counts code points. */
function lengthOf(text: string): number {
  return [...text].length;
}
