/** Tables at different widths: which columns shrink, are left out and grow. */
import { expect, test } from "vitest";
import { PLAIN } from "./style.ts";
import { type Column, layOutTable } from "./table.ts";

type Row = readonly [name: string, count: string, note: string];

const NAME: Column<Row> = { head: "NAME", cell: ([name]) => name };
const COUNT: Column<Row> = { head: "COUNT", cell: ([, count]) => count, right: true };
const NOTE: Column<Row> = { head: "NOTE", cell: ([, , note]) => note };
const ROWS: readonly Row[] = [
  ["web", "12", "fine"],
  ["節点-1", "3", ""],
];

function lines(columns: readonly Column<Row>[], room: Parameters<typeof layOutTable>[3] = {}): string[] {
  const { head, line } = layOutTable(columns, ROWS, PLAIN, room);
  return [head, ...ROWS.map(line)];
}

test("numbers to the right, wide characters in their columns, no blanks at the end", () => {
  expect(lines([NAME, COUNT, NOTE], { indent: 2 })).toStrictEqual([
    "  NAME    COUNT  NOTE",
    "  web        12  fine",
    "  節点-1      3",
  ]);
});

test("the gap shrinks first, and a spare column is left out before another one shrinks", () => {
  expect(lines([NAME, COUNT, NOTE], { width: 17, gaps: [2, 1] })[1]).toBe("web       12 fine");
  expect(lines([{ ...NAME, min: 3 }, COUNT, { ...NOTE, spare: true }], { width: 16 })[1]).toBe("web        12");
});

test("columns shrink to their minimum, and then the highest is left out", () => {
  const columns = [
    { ...NAME, min: 4 },
    { ...COUNT, goes: 1 },
    { ...NOTE, goes: 2 },
  ];
  expect(lines(columns, { width: 17 })).toStrictEqual(["NAME  COUNT  NOTE", "web      12  fine", "節…       3"]);
  expect(lines(columns, { width: 12 })).toStrictEqual(["NAME   COUNT", "web       12", "節点…      3"]);
  expect(lines(columns, { width: 5 })).toStrictEqual(["NAME", "web", "節点…"]);
});

test("the rest of the width goes to the column that grows; fixed columns overflow", () => {
  expect(lines([{ ...NAME, grows: true }, COUNT], { width: 14 })[1]).toBe("web         12");
  expect(lines([NAME, COUNT], { width: 3 })[1]).toBe("web        12");
});

test("cells cannot control the terminal; a tone paints text and no blanks", () => {
  const style = { ...PLAIN, error: (text: string) => `<${text}>` };
  const columns: Column<string>[] = [{ cell: (text) => text, tone: () => "error" }, { cell: () => "end" }];
  const { line, width } = layOutTable(columns, ["a\u001b[31m", "b"], style);
  expect([line("a\u001b[31m"), line("b"), width]).toStrictEqual(["<a\u{fffd}[31m>  end", "<b>       end", 11]);
});
