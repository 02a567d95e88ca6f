/** Rows, where the user is among them and how many fit in, the window to be shown out. */
import type { ListPlace } from "./ui-state.ts";

export interface ListWindow {
  readonly selected: string | undefined;
  readonly top: number;
}

/**
 * @param rows names of rows, undefined for lines that nobody can select
 * @param room how many lines fit
 */
export function listWindow(rows: readonly (string | undefined)[], place: ListPlace, room: number): ListWindow {
  const selectable = rows.filter((row) => row !== undefined);
  const selected =
    place.selected !== undefined && selectable.includes(place.selected)
      ? place.selected
      : selectable[Math.min(place.index, selectable.length - 1)];
  const line = selected === undefined ? 0 : rows.indexOf(selected);
  const last = Math.max(0, rows.length - room);
  const top = Math.min(Math.max(place.top, line - room + 1), line, last);
  // Headings above the first row come into view with it.
  return { selected, top: rows.slice(0, top).some((row) => row !== undefined) ? top : 0 };
}
