/** A table of text in columns, which shrink and are left out on a narrow terminal. */
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";
import { cutTo, padTo, textWidth, widestOf } from "./text-width.ts";

export interface Column<Row> {
  readonly head?: string;
  readonly cell: (row: Row) => string;
  readonly tone?: (row: Row) => keyof Style | undefined;
  /** Whether to align to the right, for numbers. */
  readonly right?: boolean;
  /** Its width; by default that of its content. */
  readonly width?: number;
  /** The minimum width; undefined if it cannot shrink. */
  readonly min?: number;
  /** Whether it takes the rest of the width. */
  readonly grows?: boolean;
  /** The column with the highest number is left out first; undefined if it always stays. */
  readonly goes?: number;
  /** Whether it is left out before any other column shrinks. */
  readonly spare?: boolean;
}

export interface Table<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
  readonly width: number;
}

interface TableRoom {
  /** The width of the terminal; by default as much as needed. */
  readonly width?: number;
  /** Blanks between columns: the first value that fits, or else the last. */
  readonly gaps?: readonly number[];
  readonly indent?: number;
}

interface Placed<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** Cells are computed for each printed line, so that a long table costs only what is shown. */
export function layOutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  style: Style,
  { width = Infinity, gaps = [2], indent = 0 }: TableRoom = {},
): Table<Row> {
  const wanted = columns.map((column): Placed<Row> => ({ column, width: wantedWidth(column, rows) }));
  const { placed, gap } = place(wanted, width - indent, gaps);
  const lineOf = (cellOf: (column: Column<Row>) => string, row?: Row): string => {
    const cells = placed.map(({ column, width: own }) => {
      const tone = row === undefined ? undefined : column.tone?.(row);
      return padTo(cutTo(cellOf(column), own), own, { right: column.right, paint: tone && style[tone] });
    });
    return `${" ".repeat(indent)}${cells.join(" ".repeat(gap))}`.trimEnd();
  };
  return {
    head: lineOf(({ head = "" }) => head),
    line: (row) => lineOf(({ cell }) => printable(cell(row)), row),
    width: placed.reduce((sum, { width: own }) => sum + own, indent + gap * (placed.length - 1)),
  };
}

function wantedWidth<Row>({ head = "", cell, width, min = 0 }: Column<Row>, rows: readonly Row[]): number {
  return width ?? Math.max(textWidth(head), min, widestOf(rows.map((row) => printable(cell(row)))));
}

/** If the table is too wide, columns first shrink, and then are left out. */
function place<Row>(
  wanted: readonly Placed<Row>[],
  width: number,
  gaps: readonly number[],
): { placed: readonly Placed<Row>[]; gap: number } {
  const gap = gaps.at(-1)!;
  const all = fitted(wanted, wanted.map(wholeWidth), width, gaps);
  if (all !== undefined) return all;
  for (let left = wanted.filter(({ column }) => column.spare !== true); ;) {
    const least = left.map(({ column, width: own }) => Math.min(own, column.min ?? own));
    const placed = fitted(left, left.map(wholeWidth), width, gaps) ?? fitted(left, least, width, [gap]);
    if (placed !== undefined) return placed;
    const [next] = left
      .filter(({ column }) => column.goes !== undefined)
      .toSorted((a, b) => b.column.goes! - a.column.goes!);
    if (next === undefined) return { placed: left.map(({ column }, at) => ({ column, width: least[at]! })), gap };
    left = left.filter((one) => one !== next);
  }
}

function wholeWidth<Row>({ column, width }: Placed<Row>): number {
  return column.grows === true ? (column.min ?? width) : width;
}

/** Uses the first gap that fits; undefined if none does. */
function fitted<Row>(left: readonly Placed<Row>[], widths: readonly number[], width: number, gaps: readonly number[]) {
  for (const gap of gaps) {
    const room = width - widths.reduce((sum, one) => sum + one, gap * (left.length - 1));
    if (room >= 0) return { placed: grown(left, widths, room), gap };
  }
  return undefined;
}

/** The rest of the width goes to columns that had to shrink, the nearest to full width first, then to the one that grows. */
function grown<Row>(left: readonly Placed<Row>[], widths: readonly number[], room: number): Placed<Row>[] {
  const given = [...widths];
  const missing = left.map(({ column, width }, at) => (column.grows === true ? 0 : width - given[at]!));
  for (const at of missing.map((_, index) => index).toSorted((a, b) => missing[a]! - missing[b]!)) {
    const more = Math.min(missing[at]!, room);
    given[at] = given[at]! + more;
    room -= more;
  }
  const growing = left.findIndex(({ column }) => column.grows);
  if (growing >= 0) given[growing] = given[growing]! + room;
  return left.map(({ column }, at) => ({ column, width: given[at]! }));
}
