/** Rows of entries with author, place and effect: in columns, or stacked on a narrow terminal. */
import { printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { padTo, textWidth, widestOf } from "../terminal/text-width.ts";
import { hanging, indented, NARROWEST, wrapText } from "../terminal/wrap.ts";

export interface DemandRow {
  readonly who: string;
  readonly requirement: string;
  readonly place: string;
  readonly effect: string;
  /** On a line of its own below; empty if there is none. */
  readonly note?: string;
}

const WHO_WIDTH = 8;
const INDENT = "    ";
const GAP = "  ";
const WIDEST = 72;

export type LayOut = (row: DemandRow) => string[];

/** @param rows all rows that share the columns */
export function layOutRows(rows: readonly DemandRow[], style: Style, width: number): LayOut {
  const start = INDENT.length + WHO_WIDTH;
  const place = widestOf(rows.map((row) => row.place));
  const asked = widestOf(rows.map((row) => printable(row.requirement)));
  const room = width - start - GAP.length - place - GAP.length - widestOf(rows.map((row) => row.effect));
  const requirement = Math.min(room, WIDEST, asked);
  const inColumns = room >= Math.min(NARROWEST, asked);
  const below = (row: DemandRow): string[] => {
    const parts = row.effect === "" ? [style.faint(row.place)] : [style.faint(row.place), row.effect];
    const fits = start + textWidth(row.place) + GAP.length + textWidth(row.effect) <= width;
    return indented(fits ? [parts.join(GAP)] : parts, start);
  };
  const laidOut = (row: DemandRow): string[] => {
    const lines = wrapText(printable(row.requirement), inColumns ? requirement : width - start);
    const label = INDENT + padTo(row.who, WHO_WIDTH, { paint: style.faint });
    if (row.place === "" && row.effect === "") return hanging(lines, label, start);
    if (!inColumns) return [...hanging(lines, label, start), ...below(row)];
    const [first = "", ...others] = lines;
    const cells = [padTo(first, requirement), padTo(row.place, place, { paint: style.faint }), row.effect];
    return hanging([cells.join(GAP).trimEnd(), ...others], label, start);
  };
  const noted = ({ note = "" }: DemandRow): string[] =>
    note === "" ? [] : indented(wrapText(printable(note), width - start).map(style.faint), start);
  return (row) => [...laidOut(row), ...noted(row)];
}
