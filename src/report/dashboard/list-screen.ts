/** A screen with a list: as many rows as fit, and details of the selected row. */
import { oneLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { type Column, layOutTable, type Table } from "../terminal/table.ts";
import { keyBar, type KeyHint, rule, windowWords } from "./bars.ts";
import type { ClusterView } from "./fleet-view.ts";
import { filterHint } from "./filter.ts";
import type { Look, Screen } from "./screen.ts";
import type { ListPlace, UiState } from "./ui-state.ts";

/** The width of the mark of the selected row. */
const MARK_WIDTH = 3;

/** A table with room for the mark; its heads are above the list. */
export function listTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], look: Look): Table<Row> {
  const { style, columns: width } = look;
  const cleaned = columns.map((column) => ({ ...column, cell: (row: Row) => oneLine(column.cell(row)) }));
  const table = layOutTable(cleaned, rows, style, { width: width - MARK_WIDTH - 1, gaps: [2, 1] });
  return { ...table, head: style.faint(`${" ".repeat(MARK_WIDTH)}${table.head}`) };
}

export interface ListLine {
  /** Undefined for a line that cannot be selected. */
  readonly row: string | undefined;
  readonly text: () => string;
}

interface ListPage {
  readonly intro: readonly string[];
  /** The lines above the list, by its first visible row. */
  readonly headOf: (first: number) => string;
  readonly lines: readonly ListLine[];
  /** The text of an empty list. */
  readonly empty: string;
  /** Always the same number of lines, left out if the terminal has fewer rows than `from`. */
  readonly detail: {
    readonly lines: number;
    readonly from: number;
    readonly of: (row: string | undefined) => string[];
  };
  readonly keysOf: (row: string | undefined) => readonly KeyHint[];
}

export function listScreen(page: ListPage, place: ListPlace, ui: UiState, look: Look): Screen {
  const { intro, headOf, lines, empty, detail, keysOf } = page;
  const { rows, style } = look;
  const detailed = rows >= detail.from;
  const room = rows - intro.length - 1 - 2 - (detailed ? detail.lines : 0);
  const names = lines.map(({ row }) => row);
  const { selected, top } = listWindow(names, place, room);
  const body = lines
    .slice(top, top + room)
    .map(({ row, text }) => (row === undefined ? text() : `${mark(row === selected, style)}${text()}`));
  return {
    top: [...intro, headOf(top)],
    body: body.length > 0 ? body : [style.faint(`   ${empty}`)],
    bottom: [
      rule(look, windowWords(top, room, lines.length)),
      ...(detailed ? detail.of(selected) : []),
      filterHint(ui, place.filter, look) ?? keyBar(keysOf(selected), SPARE, ui.note, look),
    ],
    content: { kind: "list", rows: names.filter((row) => row !== undefined), selected, top, room },
  };
}

function mark(selected: boolean, { strong }: Style): string {
  return selected ? ` ${strong("▸")} ` : "   ";
}

/** The actions that a cluster allows. */
export function controlsOf(cluster: ClusterView | undefined): KeyHint[] {
  return [
    ["p", cluster?.isPaused === true ? "resume" : "pause"],
    ["r", "reconcile"],
  ];
}

/** @param opens what Enter does @param last keys that leave the screen */
export function listKeys(opens: string, controls: readonly KeyHint[], last: readonly KeyHint[] = []): KeyHint[] {
  return [
    ["↑↓", "move"],
    ["Enter", opens],
    ["f", "findings"],
    ["l", "log"],
    ...controls,
    ["/", "filter"],
    ...last,
    ["?", "help"],
    ["q", "quit"],
  ];
}

const SPARE: readonly string[] = ["↑↓", "l", "/", "f", "r", "p"];

/**
 * @param rows names of rows, undefined for lines that cannot be selected
 * @param room how many lines fit
 */
function listWindow(rows: readonly (string | undefined)[], place: ListPlace, room: number) {
  const selectable = rows.filter((row) => row !== undefined);
  const selected =
    place.selected !== undefined && selectable.includes(place.selected)
      ? place.selected
      : selectable[Math.min(place.index, selectable.length - 1)];
  const line = selected === undefined ? 0 : rows.indexOf(selected);
  const last = Math.max(0, rows.length - room);
  const top = Math.min(Math.max(place.top, line - room + 1), line, last);
  // Headings above the first row scroll into view with it.
  return { selected, top: rows.slice(0, top).some((row) => row !== undefined) ? top : 0 };
}
