/** Who asks for what where, and what it ruled out: rows in columns where the terminal is wide enough, stacked where not. */
import { printable } from "./printable.ts";
import type { Style } from "./style.ts";
import { textWidth } from "./text-width.ts";
import { wrap } from "./wrap.ts";

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
  const place = widest((row) => row.place);
  const room = width - start - GAP.length - place - GAP.length - widest((row) => row.effect);
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
  return (row) => {
    const lines = wrap(printable(row.requirement).split(" "), inColumns ? requirement : width - start, " ");
    const under = " ".repeat(start);
    const [first = "", ...others] = lines;
    const head = `${INDENT}${style.faint(row.who.padEnd(WHO_WIDTH))}`;
    const rest = others.map((line) => under + line);
    if (row.place === "" && row.effect === "") return [head + first, ...rest];
    if (!inColumns) return [head + first, ...rest, [under + style.faint(row.place), row.effect].join(GAP).trimEnd()];
    const padding = " ".repeat(Math.max(0, requirement - columns(first)));
    const end = row.effect === "" ? "" : `${" ".repeat(place - columns(row.place))}${GAP}${row.effect}`;
    return [`${head}${first}${padding}${GAP}${style.faint(row.place)}${end}`, ...rest];
  };
}

function columns(text: string): number {
  return textWidth([...text]);
}
