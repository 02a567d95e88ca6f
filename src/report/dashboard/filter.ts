/** The filter that the user types behind `/`: which rows match, and the line that shows it. */
import { oneLine } from "../terminal/printable.ts";
import { cutTo, padTo, textWidth } from "../terminal/text-width.ts";
import type { Look } from "./screen.ts";
import { type KeyName, replaceScreen, shownScreen, type UiState } from "./ui-state.ts";

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
export function filterHint({ filtering, note }: UiState, filter: string, { columns, style }: Look): string | undefined {
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

/** Applies one key to the filter. */
export function typeFilter(key: KeyName, ui: UiState): UiState {
  const screen = shownScreen(ui);
  if (!("filter" in screen)) return { ...ui, filtering: false };
  const { filter } = screen;
  const filtered = (text: string): UiState => replaceScreen(ui, { ...screen, filter: text, top: 0 });
  if (typeof key === "object") return filtered(`${filter}${key.character}`);
  switch (key) {
    case "enter":
      return { ...ui, filtering: false };
    case "escape":
      return { ...filtered(""), filtering: false };
    case "backspace":
      return filter === "" ? { ...ui, filtering: false } : filtered([...filter].slice(0, -1).join(""));
    case "ctrl-u":
      return filtered("");
    default:
      return ui;
  }
}
