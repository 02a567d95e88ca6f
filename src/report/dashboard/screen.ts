/** A screen of the dashboard as lines: its top, its bottom and a window on what is between. */
import type { Style } from "../terminal/style.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** How a screen is to look. */
export interface Look extends Size {
  readonly style: Style;
}

/** Lines are painted and fit the width. */
export interface Screen {
  readonly top: readonly string[];
  /** Not more than there is room for. */
  readonly body: readonly string[];
  readonly bottom: readonly string[];
  /** What keys move in. */
  readonly content: ListContent | TextContent;
}

interface ListContent {
  readonly kind: "list";
  /** All rows, in their order. */
  readonly rows: readonly string[];
  /** The selected one, where there is any. */
  readonly selected: string | undefined;
  readonly top: number;
  /** Rows that fit. */
  readonly room: number;
}

interface TextContent {
  readonly kind: "text";
  readonly lines: number;
  readonly top: number;
  readonly room: number;
}

/** Below this nothing can be read. */
export const SMALLEST: Size = { columns: 60, rows: 12 };
