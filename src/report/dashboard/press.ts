/** The effect of a key: the next state of the screen, and an action on a cluster. */
import type { FleetView } from "./fleet-view.ts";
import type { Screen } from "./screen.ts";
import { typeFilter } from "./filter.ts";
import {
  FIRST_ROW,
  type KeyName,
  popScreen,
  type Pressed,
  pushScreen,
  replaceScreen,
  shownScreen,
  type UiState,
} from "./ui-state.ts";

export function press(key: KeyName, ui: UiState, screen: Screen, view: FleetView): Pressed {
  if (key === "ctrl-c") return { ui, action: { do: "quit" } };
  const now = { ...ui, note: "" };
  const typed = typeof key === "object" ? key.character : undefined;
  if (ui.filtering) return { ui: typeFilter(key, now) };
  const step = MOVES[typed ?? ""] ?? (typed === undefined ? (key as string) : "");
  if (MOVING.includes(step)) return { ui: move(step, now, screen) };
  if (key === "escape" || key === "left") return { ui: back(now) };
  if (key === "enter" || key === "right") return { ui: open(now, screen) };
  switch (typed) {
    case "q":
      return { ui: now, action: { do: "quit" } };
    case "?":
      return { ui: shownScreen(ui).kind === "help" ? back(now) : pushScreen(now, { kind: "help", top: 0 }) };
    case "l":
      return { ui: toLog(now) };
    case "/":
      return { ui: "filter" in shownScreen(ui) ? { ...now, filtering: true } : now };
    default:
      return typed === undefined ? { ui: now } : pressControl(typed, now, screen, view);
  }
}

const MOVES: Readonly<Record<string, string>> = { j: "down", k: "up", g: "home", G: "end", " ": "pageDown" };
const MOVING: readonly string[] = ["up", "down", "pageUp", "pageDown", "home", "end"];

function move(step: string, ui: UiState, { content }: Screen): UiState {
  const page = Math.max(1, content.room - 1);
  const by: Readonly<Record<string, number>> = { up: -1, down: 1, pageUp: -page, pageDown: page };
  const delta = by[step];
  if (content.kind === "text") {
    const last = Math.max(0, content.lines - content.room);
    const top = delta === undefined ? (step === "home" ? 0 : last) : clamp(content.top + delta, last);
    // At the end of a log, new lines scroll it.
    return replaceScreen(ui, { ...shownScreen(ui), top: top === last && shownScreen(ui).kind === "log" ? "end" : top });
  }
  const { rows, selected, top } = content;
  const at = selected === undefined ? 0 : rows.indexOf(selected);
  const index = delta === undefined ? (step === "home" ? 0 : rows.length - 1) : clamp(at + delta, rows.length - 1);
  return replaceScreen(ui, { ...shownScreen(ui), selected: rows[index], index: Math.max(0, index), top });
}

function clamp(value: number, last: number): number {
  return Math.max(0, Math.min(value, last));
}

/** Clears the filter, or else closes the screen. The first screen stays. */
function back(ui: UiState): UiState {
  const screen = shownScreen(ui);
  if ("filter" in screen && screen.filter !== "") return replaceScreen(ui, { ...screen, filter: "" });
  return popScreen(ui);
}

function open(ui: UiState, { content }: Screen): UiState {
  const screen = shownScreen(ui);
  if (content.kind !== "list" || content.selected === undefined) return ui;
  // The place that the user returns to.
  const kept = replaceScreen(ui, {
    ...screen,
    selected: content.selected,
    index: content.rows.indexOf(content.selected),
    top: content.top,
  });
  if (screen.kind === "fleet") return pushScreen(kept, { kind: "cluster", cluster: content.selected, ...FIRST_ROW });
  if (screen.kind === "cluster")
    return pushScreen(kept, { kind: "object", cluster: screen.cluster, object: content.selected, top: 0 });
  return ui;
}

function toLog(ui: UiState): UiState {
  const screen = shownScreen(ui);
  if (screen.kind === "log") return back(ui);
  const cluster = "cluster" in screen ? screen.cluster : undefined;
  return pushScreen(ui, { kind: "log", cluster, top: "end" });
}

/** Keys that act on one cluster: the opened one, or the selected row. */
function pressControl(typed: string, ui: UiState, { content }: Screen, view: FleetView): Pressed {
  const screen = shownScreen(ui);
  const name =
    "cluster" in screen
      ? screen.cluster
      : screen.kind === "fleet" && content.kind === "list"
        ? content.selected
        : undefined;
  const cluster = view.clusters.find((one) => one.name === name);
  if (cluster === undefined) return { ui };
  if (typed === "f")
    return {
      ui:
        screen.kind === "findings"
          ? popScreen(ui)
          : pushScreen(ui, { kind: "findings", cluster: cluster.name, top: 0 }),
    };
  if (typed === "p") {
    const paused = cluster.isPaused;
    const words = paused ? "resumed" : "paused: a running pass ends, and no other starts";
    return {
      ui: { ...ui, note: `${cluster.name} is ${words}` },
      action: { do: paused ? "resume" : "pause", cluster: cluster.name },
    };
  }
  if (typed !== "r") return { ui };
  if (cluster.isPaused) return { ui: { ...ui, note: `${cluster.name} is paused: p resumes it` } };
  if (cluster.phase === "standby") return { ui: { ...ui, note: "another replica holds the lease and reconciles" } };
  return {
    ui: { ...ui, note: `${cluster.name} is reconciled now` },
    action: { do: "reconcile", cluster: cluster.name },
  };
}
