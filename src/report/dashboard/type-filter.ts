/** A key that goes into the filter in, the filter as it is then out. */
import { type KeyName, replaceScreen, shownScreen, type UiState } from "./ui-state.ts";

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
