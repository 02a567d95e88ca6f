/** Where the user of the dashboard is: screens on each other, each with its own place in it. */

export interface UiState {
  /** Never empty. */
  readonly screens: readonly OpenScreen[];
  /** Whether what is typed goes into the filter. */
  readonly filtering: boolean;
  /** An answer to the last key, for the bar of keys. */
  readonly note: string;
}

export type OpenScreen =
  | ({ readonly kind: "fleet" } & ListPlace)
  | ({ readonly kind: "cluster"; readonly cluster: string } & ListPlace)
  | ({ readonly kind: "object"; readonly cluster: string; readonly object: string } & TextPlace)
  | ({ readonly kind: "findings"; readonly cluster: string } & TextPlace)
  | ({ readonly kind: "log"; readonly cluster: string | undefined } & TextPlace)
  | ({ readonly kind: "help" } & TextPlace);

export interface ListPlace {
  /** The name of a row; rows may come and go. */
  readonly selected: string | undefined;
  /** Where it stood among the rows, for when it has gone. */
  readonly index: number;
  /** The first line that is shown. */
  readonly top: number;
  readonly filter: string;
}

export interface TextPlace {
  /** The first line that is shown; `end` stays at the end of what grows. */
  readonly top: number | "end";
}

export const FIRST_ROW: ListPlace = { selected: undefined, index: 0, top: 0, filter: "" };

export const START: UiState = { screens: [{ kind: "fleet", ...FIRST_ROW }], filtering: false, note: "" };

export function shownScreen({ screens }: UiState): OpenScreen {
  return screens.at(-1)!;
}

/** What the user wants done, beyond looking at it. */
export type UiAction =
  | { readonly do: "pause" | "resume" | "reconcile"; readonly cluster: string }
  | { readonly do: "quit" };

/** A name for those keys that write nothing, else the character. */
export type KeyName =
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "left"
  | "right"
  | "backspace"
  | "ctrl-c"
  | "ctrl-u"
  | { readonly character: string };

export interface Pressed {
  readonly ui: UiState;
  readonly action?: UiAction;
}

export function pushScreen(ui: UiState, screen: OpenScreen): UiState {
  return { ...ui, screens: [...ui.screens, screen] };
}

/** @param screen in place of the shown one */
export function replaceScreen(ui: UiState, screen: object): UiState {
  return { ...ui, screens: [...ui.screens.slice(0, -1), screen as OpenScreen] };
}

export function popScreen(ui: UiState): UiState {
  return ui.screens.length === 1 ? ui : { ...ui, screens: ui.screens.slice(0, -1) };
}
