/** The layouts of a screen: a list with details of the selected row, and lines to read. */
import { oneLine } from "../terminal/printable.ts";
import { type Column, layOutTable, type Table } from "../terminal/table.ts";
import { cutTo, padTo, textWidth } from "../terminal/text-width.ts";
import { wrapWhole } from "../terminal/wrap.ts";
import type { ListPlace, Look, Screen, TextPlace, UiState } from "./ui-state.ts";

/** The beginning of each title. */
export const PROGRAM = "anp watch";

/** The title on the left and the state on the right; if both do not fit, the title is cut. */
export function titleLines(title: string, state: string, { columns, style }: Look): string[] {
  const right = cutTo(state, columns - 12);
  const left = cutTo(title, columns - 3 - textWidth(right));
  const space = " ".repeat(Math.max(1, columns - 2 - textWidth(left) - textWidth(right)));
  return [` ${style.strong(left)}${space}${right}`, style.faint("─".repeat(columns))];
}

/** Always the same number of lines; longer text is cut. */
export function inLines(text: string, width: number, count: number): string[] {
  const lines = wrapWhole(oneLine(text), width);
  if (lines.length > count) lines[count - 1] = cutTo(`${lines[count - 1]!} …`, width);
  return Array.from({ length: count }, (_, index) => lines[index] ?? "");
}

export const BETWEEN = " · ";

/** As many of the parts as fit, from the first. */
export function joinFitting(parts: readonly string[], room: number): string {
  const shown = [...parts];
  while (shown.length > 1 && textWidth(shown.join(BETWEEN)) > room) shown.pop();
  return cutTo(shown.join(BETWEEN), room);
}

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
  /** The lines below the list while the row is selected. */
  readonly detail?: () => string[];
}

interface ListPage {
  readonly intro: readonly string[];
  /** The lines above the list, by its first visible row. */
  readonly headOf: (first: number) => string;
  readonly lines: readonly ListLine[];
  /** The text of an empty list. */
  readonly empty: string;
  /** The number of detail lines, which are left out if the terminal has fewer rows than `from`. */
  readonly details: { readonly lines: number; readonly from: number };
  /** Whether the cluster that keys act on is paused. */
  readonly isPaused: (row: string | undefined) => boolean;
  /** What Enter does, and keys that leave the screen. */
  readonly opens: string;
  readonly leaves?: readonly KeyHint[];
}

/** As many rows as fit, and details of the selected row. */
export function listScreen(page: ListPage, place: ListPlace, ui: UiState, look: Look): Screen {
  const { intro, headOf, lines, empty, details, isPaused, opens, leaves = [] } = page;
  const { rows, style } = look;
  const detailed = rows >= details.from;
  const room = rows - intro.length - 1 - 2 - (detailed ? details.lines : 0);
  const names = lines.map(({ row }) => row);
  const { selected, top } = listWindow(names, place, room);
  const body = lines
    .slice(top, top + room)
    .map(({ row, text }) =>
      row === undefined ? text() : `${row === selected ? ` ${style.strong("▸")} ` : "   "}${text()}`,
    );
  const detail = lines.find(({ row }) => row !== undefined && row === selected)?.detail;
  const keys: KeyHint[] = [
    ["↑↓", "move"],
    ["Enter", opens],
    ["f", "findings"],
    ["l", "log"],
    ["p", isPaused(selected) ? "resume" : "pause"],
    ["r", "reconcile"],
    ["/", "filter"],
    ...leaves,
    ["?", "help"],
    ["q", "quit"],
  ];
  return {
    top: [...intro, headOf(top)],
    body: body.length > 0 ? body : [style.faint(`   ${empty}`)],
    bottom: [
      windowRule(top, room, lines.length, look),
      ...(detailed ? (detail?.() ?? Array<string>(details.lines).fill("")) : []),
      filterHint(ui, place.filter, look) ?? keyBar(keys, ["↑↓", "l", "/", "f", "r", "p"], ui.note, look),
    ],
    content: { kind: "list", rows: names.filter((row) => row !== undefined), selected, top, room },
  };
}

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

/** As many lines as fit from the current place. @param lines painted, and at most as wide as the screen */
export function textScreen(title: string, lines: readonly string[], place: TextPlace, ui: UiState, look: Look): Screen {
  const room = look.rows - 4;
  const last = Math.max(0, lines.length - room);
  const top = place.top === "end" ? last : Math.min(place.top, last);
  const keys: KeyHint[] = [
    ["↑↓", "scroll"],
    ["PgUp PgDn", "page"],
    ["Esc", "back"],
    ["q", "quit"],
  ];
  return {
    top: titleLines(title, "", look),
    body: lines.slice(top, top + room),
    bottom: [windowRule(top, room, lines.length, look), keyBar(keys, ["PgUp PgDn", "↑↓"], ui.note, look)],
    content: { kind: "text", lines: lines.length, top, room },
  };
}

/** A rule that ends with `16–30 of 300`, unless all lines are shown. */
function windowRule(top: number, room: number, all: number, { columns, style }: Look): string {
  if (all <= room) return style.faint("─".repeat(columns));
  const words = `${String(top + 1)}–${String(Math.min(all, top + room))} of ${String(all)}`;
  return style.faint(`${"─".repeat(Math.max(0, columns - textWidth(words) - 4))} ${words} ──`);
}

type KeyHint = readonly [key: string, does: string];

/** If there is no room for all keys, those in `spare` are left out, in their order. */
function keyBar(hints: readonly KeyHint[], spare: readonly string[], note: string, { columns, style }: Look): string {
  if (note !== "") return ` ${style.info(cutTo(oneLine(note), columns - 2))}`;
  const width = (shown: readonly KeyHint[]): number =>
    1 + shown.reduce((sum, [key, does]) => sum + textWidth(key) + 1 + textWidth(does) + 2, 0);
  let shown = hints;
  for (const next of spare) if (width(shown) > columns) shown = shown.filter(([key]) => key !== next);
  return ` ${shown.map(([key, does]) => `${style.strong(key)} ${style.faint(does)}`).join("  ")}`;
}

/** Each word must be in one of the texts, whatever its case. */
export function filterOf<Row>(filter: string, textsOf: (row: Row) => readonly string[]): (row: Row) => boolean {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return () => true;
  return (row) => {
    const texts = textsOf(row).map((text) => text.toLowerCase());
    return words.every((word) => texts.some((text) => text.includes(word)));
  };
}

/** Replaces the bar of keys while the user types a filter; undefined without a filter. */
function filterHint({ filtering, note }: UiState, filter: string, { columns, style }: Look): string | undefined {
  if (filtering) {
    const typed = oneLine(`${filter}_`);
    const keys = "Enter keep  Esc show all";
    const room = columns - 4 - keys.length;
    // The end is shown, because people type there.
    const characters = [...typed];
    while (textWidth(characters.join("")) > room) characters.splice(0, 2, "…");
    return ` ${style.strong("/")}${padTo(characters.join(""), room)}  ${style.faint(keys)}`;
  }
  if (filter === "" || note !== "") return undefined;
  return ` ${style.strong("/")}${cutTo(oneLine(filter), columns - 40)}  ${style.faint("/ change  Esc show all  ? help  q quit")}`;
}
