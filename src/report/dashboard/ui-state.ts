/** The state of the user interface: a stack of screens, each with its own place. */

export interface UiState {
  /** Never empty. */
  readonly screens: readonly OpenScreen[];
  /** Whether typed characters go into the filter. */
  readonly filtering: boolean;
  /** A note on the last key, shown in the bar of keys. */
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
  /** The name of a row, because rows come and go. */
  readonly selected: string | undefined;
  /** Its index among the rows, used if the row is gone. */
  readonly index: number;
  /** The first visible line. */
  readonly top: number;
  readonly filter: string;
}

export interface TextPlace {
  /** The first visible line; `end` follows new lines. */
  readonly top: number | "end";
}

export const FIRST_ROW: ListPlace = { selected: undefined, index: 0, top: 0, filter: "" };

export const START: UiState = { screens: [{ kind: "fleet", ...FIRST_ROW }], filtering: false, note: "" };

export function shownScreen({ screens }: UiState): OpenScreen {
  return screens.at(-1)!;
}

/** An action on a cluster that the user asks for. */
export type UiAction =
  | { readonly do: "pause" | "resume" | "reconcile"; readonly cluster: string }
  | { readonly do: "quit" };

/** A name for keys that print nothing, or the character. */
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

/** @param screen replaces the visible screen */
export function replaceScreen(ui: UiState, screen: object): UiState {
  return { ...ui, screens: [...ui.screens.slice(0, -1), screen as OpenScreen] };
}

export function popScreen(ui: UiState): UiState {
  return ui.screens.length === 1 ? ui : { ...ui, screens: ui.screens.slice(0, -1) };
}
