/** The effect of a key: the next state of the screen, and an action on a cluster. */
import type { FleetView } from "./fleet-view.ts";
import {
  FIRST_ROW,
  type KeyName,
  type ListPlace,
  type OpenScreen,
  type Screen,
  shownScreen,
  type TextPlace,
  type UiAction,
  type UiState,
} from "./ui-state.ts";

interface Handled {
  readonly ui: UiState;
  readonly action?: UiAction;
}

export function handleKey(key: KeyName, ui: UiState, screen: Screen, view: FleetView): Handled {
  if (key === "ctrl-c") return { ui, action: { do: "quit" } };
  const now = { ...ui, note: "" };
  if (ui.filtering) return { ui: typeFilter(key, now) };
  const typed = typeof key === "object" ? key.character : key;
  const step = MOVES[typed] ?? typed;
  if (MOVING.includes(step)) return { ui: move(step, now, screen) };
  switch (step) {
    case "escape":
    case "left":
      return { ui: back(now) };
    case "enter":
    case "right":
      return { ui: open(now, screen) };
    case "q":
      return { ui: now, action: { do: "quit" } };
    case "?":
      return { ui: toggleScreen(now, { kind: "help", top: 0 }) };
    case "l": {
      const shown = shownScreen(ui);
      const cluster = "cluster" in shown ? shown.cluster : undefined;
      return { ui: toggleScreen(now, { kind: "log", cluster, top: "end" }) };
    }
    case "/":
      return { ui: "filter" in shownScreen(ui) ? { ...now, filtering: true } : now };
    default:
      return handleControl(step, now, screen, view);
  }
}

const MOVES: Readonly<Record<string, string>> = { j: "down", k: "up", g: "home", G: "end", " ": "pageDown" };
const MOVING: readonly string[] = ["up", "down", "pageUp", "pageDown", "home", "end"];

function move(step: string, ui: UiState, { content }: Screen): UiState {
  const page = Math.max(1, content.room - 1);
  const by: Readonly<Record<string, number>> = { up: -1, down: 1, pageUp: -page, pageDown: page };
  const from = (at: number, last: number): number =>
    Math.max(0, Math.min(step === "home" ? 0 : step === "end" ? last : at + by[step]!, last));
  if (content.kind === "text") {
    const last = Math.max(0, content.lines - content.room);
    const top = from(content.top, last);
    // At the end of a log, new lines scroll it.
    return placeScreen(ui, { top: top === last && shownScreen(ui).kind === "log" ? "end" : top });
  }
  const { rows, selected, top } = content;
  const index = from(selected === undefined ? 0 : rows.indexOf(selected), rows.length - 1);
  return placeScreen(ui, { selected: rows[index], index, top });
}

/** Clears the filter, or else closes the screen. The first screen stays. */
function back(ui: UiState): UiState {
  const screen = shownScreen(ui);
  if ("filter" in screen && screen.filter !== "") return placeScreen(ui, { filter: "" });
  return ui.screens.length === 1 ? ui : { ...ui, screens: ui.screens.slice(0, -1) };
}

function open(ui: UiState, { content }: Screen): UiState {
  const screen = shownScreen(ui);
  if (content.kind !== "list" || content.selected === undefined) return ui;
  const { selected, rows, top } = content;
  // The place that the user returns to.
  const kept = placeScreen(ui, { selected, index: rows.indexOf(selected), top });
  if (screen.kind === "fleet") return toggleScreen(kept, { kind: "cluster", cluster: selected, ...FIRST_ROW });
  if (screen.kind !== "cluster") return ui;
  return toggleScreen(kept, { kind: "object", cluster: screen.cluster, object: selected, top: 0 });
}

/** Opens a screen; closes it if one of its kind is shown. */
function toggleScreen(ui: UiState, screen: OpenScreen): UiState {
  return shownScreen(ui).kind === screen.kind ? back(ui) : { ...ui, screens: [...ui.screens, screen] };
}

/** Changes the place of the shown screen. */
function placeScreen(ui: UiState, place: Partial<ListPlace> | TextPlace): UiState {
  return { ...ui, screens: [...ui.screens.slice(0, -1), { ...shownScreen(ui), ...place } as OpenScreen] };
}

/** Keys that act on one cluster: the opened one, or the selected row. */
function handleControl(typed: string, ui: UiState, { content }: Screen, view: FleetView): Handled {
  const screen = shownScreen(ui);
  const selected = screen.kind === "fleet" && content.kind === "list" ? content.selected : undefined;
  const name = "cluster" in screen ? screen.cluster : selected;
  const cluster = view.clusters.find((one) => one.name === name);
  if (cluster === undefined) return { ui };
  const noted = (note: string): UiState => ({ ...ui, note });
  const { name: own, isPaused } = cluster;
  if (typed === "f") return { ui: toggleScreen(ui, { kind: "findings", cluster: own, top: 0 }) };
  if (typed === "p") {
    const words = isPaused ? "resumed" : "paused: a running pass ends, and no other starts";
    return { ui: noted(`${own} is ${words}`), action: { do: isPaused ? "resume" : "pause", cluster: own } };
  }
  if (typed !== "r") return { ui };
  if (isPaused) return { ui: noted(`${own} is paused: p resumes it`) };
  if (cluster.phase === "standby") return { ui: noted("another replica holds the lease and reconciles") };
  return { ui: noted(`${own} is reconciled now`), action: { do: "reconcile", cluster: own } };
}

/** Applies one key to the filter. */
function typeFilter(key: KeyName, ui: UiState): UiState {
  const screen = shownScreen(ui);
  if (!("filter" in screen)) return { ...ui, filtering: false };
  const { filter } = screen;
  const filtered = (text: string): UiState => placeScreen(ui, { filter: text, top: 0 });
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
