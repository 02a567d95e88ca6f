/** A table in columns for a width. */
import type { Style } from "../terminal/style.ts";
import { cutTo, oneLine, padTo, widthOf } from "./fit-text.ts";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly tone?: (row: Row) => keyof Style | undefined;
  /** For numbers. */
  readonly right?: boolean;
  /** The columns it takes; by its content where it is not given. */
  readonly width?: number;
  /** How far it may shrink; not at all where it is not given. */
  readonly min?: number;
  /** Takes what the others leave. */
  readonly grows?: boolean;
  /** The highest goes first; without one it never goes. */
  readonly goes?: number;
  /** Goes before any other one shrinks. */
  readonly spare?: boolean;
}

export interface Table<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
}

interface Placed<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** Where room is short, columns shrink, and then go. */
export function layOutColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
  style: Style,
): Table<Row> {
  const wanted = columns.map((column): Placed<Row> => ({ column, width: wantedWidth(column, rows) }));
  const { placed, gap } = place(wanted, width);
  const between = " ".repeat(gap);
  return {
    head: placed
      .map(({ column, width: own }) => padTo(column.head, own, column.right))
      .join(between)
      .trimEnd(),
    line: (row) =>
      placed
        .map(({ column, width: own }) => {
          const text = cutTo(oneLine(column.cell(row)), own);
          const tone = column.tone?.(row);
          const space = " ".repeat(own - widthOf(text));
          const painted = tone === undefined || text === "" ? text : style[tone](text);
          return column.right === true ? `${space}${painted}` : `${painted}${space}`;
        })
        .join(between),
  };
}

function wantedWidth<Row>({ head, cell, width, min }: Column<Row>, rows: readonly Row[]): number {
  if (width !== undefined) return width;
  return Math.max(head.length, min ?? 0, ...rows.map((row) => widthOf(oneLine(cell(row)))));
}

function place<Row>(wanted: readonly Placed<Row>[], width: number): { placed: readonly Placed<Row>[]; gap: number } {
  const needed = wanted.filter(({ column }) => column.spare !== true);
  for (const left of [wanted, needed]) {
    const placed = fitted(left, left.map(wholeWidth), width, [2, 1]);
    if (placed !== undefined) return placed;
  }
  for (let left: readonly Placed<Row>[] = needed; ;) {
    const least = left.map(({ column, width: own }) => Math.min(own, column.min ?? own));
    const placed = fitted(left, left.map(wholeWidth), width, [2, 1]) ?? fitted(left, least, width, [1]);
    if (placed !== undefined) return placed;
    const [next] = left
      .filter(({ column }) => column.goes !== undefined)
      .toSorted((a, b) => b.column.goes! - a.column.goes!);
    if (next === undefined) return { placed: left.map(({ column }, at) => ({ column, width: least[at]! })), gap: 1 };
    left = left.filter((one) => one !== next);
  }
}

function wholeWidth<Row>({ column, width }: Placed<Row>): number {
  return column.grows === true ? (column.min ?? width) : width;
}

/** With the first gap that leaves room enough; undefined where none does. */
function fitted<Row>(left: readonly Placed<Row>[], widths: readonly number[], width: number, gaps: readonly number[]) {
  for (const gap of gaps) {
    const room = width - widths.reduce((sum, one) => sum + one, gap * (left.length - 1));
    if (room >= 0) return { placed: grown(left, widths, room), gap };
  }
  return undefined;
}

/** What is left goes to those that had to shrink, the nearest to being whole first; then to the one that grows. */
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
