/** The dashboard on the terminal: draws screens until it is closed, and passes keys to them. */
import { Box, type Key, render, type RenderOptions, Text, useInput, usePaste, useWindowSize } from "ink";
import { createElement, type ReactElement, useRef, useState, useSyncExternalStore } from "react";
import { oneLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import type { FleetView } from "./fleet-view.ts";
import { handleKey } from "./handle-key.ts";
import { screenOf } from "./screen-of.ts";
import { type KeyName, type Screen, type Size, START, type UiAction, type UiState } from "./ui-state.ts";

export { sortBySeverity } from "./fleet-screen.ts";

export interface ShownDashboard {
  /** Restores the terminal. */
  readonly close: () => void;
  /** Resolves when the terminal is restored; rejects on a bug. */
  readonly closed: Promise<void>;
}

/** Keys are handled at once; frames are drawn at most this often. */
const FRAMES_A_SECOND = 20;

/** Restores the terminal at the end. @param terminal other streams than those of the process */
export async function showDashboard(
  props: DashboardProps,
  terminal: Pick<RenderOptions, "stdin" | "stdout" | "stderr" | "debug"> = {},
): Promise<ShownDashboard> {
  const { unmount, waitUntilExit } = render(createElement(Dashboard, props), {
    ...terminal,
    // The caller has checked the terminal; ink would otherwise guess again.
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: FRAMES_A_SECOND,
  });
  return {
    close: unmount,
    closed: waitUntilExit().then(() => undefined),
  };
}

export interface FleetSource {
  /** The same object as long as nothing visible has changed. */
  readonly view: () => FleetView;
  /** Calls the function after each change, until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
}

interface DashboardProps {
  readonly source: FleetSource;
  readonly style: Style;
  readonly act: (action: UiAction) => void;
}

function Dashboard({ source, style, act }: DashboardProps): ReactElement {
  const view = useSyncExternalStore(source.onChange, source.view);
  const { columns, rows } = useWindowSize();
  const [ui, setUi] = useState<UiState>(START);
  // If two keys arrive before the next frame, the second applies to the state after the first.
  const latest = useRef(ui);
  const screenAt = (at: UiState): Screen => screenOf(view, at, { columns, rows, style });
  const type = (keys: readonly KeyName[]): void => {
    for (const key of keys) {
      const { ui: next, action } = handleKey(key, latest.current, screenAt(latest.current), view);
      latest.current = next;
      if (action !== undefined) act(action);
    }
    setUi(latest.current);
  };
  useInput((input, key) => type(keyNames(input, key)));
  // Pasted text must not pause or reconcile clusters.
  usePaste((text) => {
    if (latest.current.filtering) type([...oneLine(text)].map((character) => ({ character })));
  });
  return createElement(Frame, { screen: screenAt(ui), size: { columns, rows } });
}

/** Title lines are at the top of the terminal, the keys at the bottom. */
function Frame({ screen, size }: { readonly screen: Screen; readonly size: Size }): ReactElement {
  const { top, body, bottom } = screen;
  return createElement(
    Box,
    { flexDirection: "column", width: size.columns, height: size.rows },
    createElement(Box, { flexDirection: "column", flexShrink: 0 }, ...top.map(lineElement)),
    createElement(Box, { flexDirection: "column", flexGrow: 1, overflow: "hidden" }, ...body.map(lineElement)),
    createElement(Box, { flexDirection: "column", flexShrink: 0 }, ...bottom.map(lineElement)),
  );
}

function lineElement(line: string, index: number): ReactElement {
  // An empty text has no height, and a line that is too wide would wrap.
  return createElement(Text, { key: index, wrap: "truncate-end" }, line === "" ? " " : line);
}

/** Other keys have no meaning here. */
const NAMED: readonly (readonly [keyof Key, Extract<KeyName, string>])[] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "home"],
  ["end", "end"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  // Many terminals send this for the backspace key.
  ["delete", "backspace"],
];

const CONTROL: Readonly<Record<string, KeyName>> = {
  c: "ctrl-c",
  u: "ctrl-u",
  h: "backspace",
  f: "pageDown",
  b: "pageUp",
  n: "down",
  p: "up",
};

/** Several keys, if the user types faster than frames are drawn. */
function keyNames(input: string, key: Key): KeyName[] {
  const named = NAMED.find(([flag]) => key[flag] === true);
  if (named !== undefined) return [named[1]];
  if (key.ctrl) return [CONTROL[input] ?? []].flat();
  if (key.meta || key.tab) return [];
  return [...input].map((character) => ({ character })).filter(({ character }) => !/\p{Cc}/u.test(character));
}
