/** Rows of words in, a table for people out: columns as wide as what stands in them. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
