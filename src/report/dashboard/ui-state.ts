/** The state of the user interface: a stack of screens with their places, and a screen as lines. */
import type { Style } from "../terminal/style.ts";

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

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The size and style of a screen. */
export interface Look extends Size {
  readonly style: Style;
}

/** Lines are painted and fit the width. */
export interface Screen {
  readonly top: readonly string[];
  /** At most as many lines as fit. */
  readonly body: readonly string[];
  readonly bottom: readonly string[];
  /** The content that keys move in. */
  readonly content: ListContent | TextContent;
}

interface ListContent {
  readonly kind: "list";
  /** All rows, in order. */
  readonly rows: readonly string[];
  /** The selected row, if any. */
  readonly selected: string | undefined;
  readonly top: number;
  /** How many rows fit. */
  readonly room: number;
}

interface TextContent {
  readonly kind: "text";
  readonly lines: number;
  readonly top: number;
  readonly room: number;
}

/** Smaller terminals show only a note. */
export const SMALLEST: Size = { columns: 60, rows: 12 };
