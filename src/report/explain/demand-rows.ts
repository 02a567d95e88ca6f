/** Who asks for what where and what it ruled out, in columns or, where it is narrow, stacked. */
import { printable } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { textWidth } from "../terminal/text-width.ts";
import { wrap } from "../terminal/wrap.ts";

export interface DemandRow {
  readonly who: string;
  readonly requirement: string;
  readonly place: string;
  readonly effect: string;
}

const WHO_WIDTH = 8;
const INDENT = "    ";
const GAP = "  ";
/** Below this a requirement is hard to read in its column. */
const NARROWEST = 30;
const WIDEST = 72;

export type LayOut = (row: DemandRow) => string[];

/** @param rows all that are to stand under each other */
export function layOutRows(rows: readonly DemandRow[], style: Style, width: number): LayOut {
  const widest = (of: (row: DemandRow) => string): number => Math.max(0, ...rows.map((row) => columns(of(row))));
  const start = INDENT.length + WHO_WIDTH;
  const widestPlace = widest((row) => row.place);
  const room = width - start - GAP.length - widestPlace - GAP.length - widest((row) => row.effect);
  const requirement = Math.min(
    room,
    WIDEST,
    widest((row) => printable(row.requirement)),
  );
  const inColumns =
    room >=
    Math.min(
      NARROWEST,
      widest((row) => printable(row.requirement)),
    );
  const below = ({ place, effect }: DemandRow, under: string): string[] => {
    const fits = effect === "" || under.length + columns(place) + GAP.length + columns(effect) <= width;
    if (!fits) return [under + style.faint(place), under + effect];
    return [[under + style.faint(place), effect].filter((part) => part !== "").join(GAP)];
  };
  return (row) => {
    const lines = wrap(printable(row.requirement).split(" "), inColumns ? requirement : width - start, " ");
    const under = " ".repeat(start);
    const [first = "", ...others] = lines;
    const head = `${INDENT}${style.faint(row.who.padEnd(WHO_WIDTH))}`;
    const rest = others.map((line) => under + line);
    if (row.place === "" && row.effect === "") return [head + first, ...rest];
    if (!inColumns) return [head + first, ...rest, ...below(row, under)];
    const padding = " ".repeat(Math.max(0, requirement - columns(first)));
    const end = row.effect === "" ? "" : `${" ".repeat(widestPlace - columns(row.place))}${GAP}${row.effect}`;
    return [`${head}${first}${padding}${GAP}${style.faint(row.place)}${end}`, ...rest];
  };
}

function columns(text: string): number {
  return textWidth([...text]);
}
