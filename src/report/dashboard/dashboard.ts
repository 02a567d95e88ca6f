/** The dashboard as a component: draws the screen, and passes keys to it. */
import { Box, Text, useInput, usePaste, useWindowSize } from "ink";
import { createElement, type ReactElement, useRef, useState, useSyncExternalStore } from "react";
import type { Style } from "../terminal/style.ts";
import { oneLine } from "../terminal/printable.ts";
import type { FleetView } from "./fleet-view.ts";
import { keyNames } from "./key-name.ts";
import { press } from "./press.ts";
import type { Screen, Size } from "./screen.ts";
import { screenOf } from "./screen-of.ts";
import { type KeyName, START, type UiAction, type UiState } from "./ui-state.ts";

export interface FleetSource {
  /** The same object as long as nothing visible has changed. */
  readonly view: () => FleetView;
  /** Calls the function after each change, until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
}

export interface DashboardProps {
  readonly source: FleetSource;
  readonly style: Style;
  readonly act: (action: UiAction) => void;
}

export function Dashboard({ source, style, act }: DashboardProps): ReactElement {
  const view = useSyncExternalStore(source.onChange, source.view);
  const { columns, rows } = useWindowSize();
  const [ui, setUi] = useState<UiState>(START);
  // If two keys arrive before the next frame, the second applies to the state after the first.
  const latest = useRef(ui);
  const screenAt = (at: UiState): Screen => screenOf(view, at, { columns, rows, style });
  const type = (keys: readonly KeyName[]): void => {
    for (const key of keys) {
      const { ui: next, action } = press(key, latest.current, screenAt(latest.current), view);
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
