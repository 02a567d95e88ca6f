/** A screen of the dashboard as lines: its top, its bottom and a window on the content. */
import type { Style } from "../terminal/style.ts";

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
