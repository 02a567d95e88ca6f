/** The lines that frame a screen: title and state at the top, keys at the bottom. */
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import { wrapWhole } from "../terminal/wrap.ts";
import type { Look } from "./screen.ts";

/** The beginning of each title. */
export const PROGRAM = "anp watch";

/** The title on the left and the state on the right; if both do not fit, the title is cut. */
export function titleLines(title: string, state: string, { columns, style }: Look): string[] {
  const right = cutTo(state, columns - 12);
  const left = cutTo(title, columns - 3 - textWidth(right));
  const space = " ".repeat(Math.max(1, columns - 2 - textWidth(left) - textWidth(right)));
  return [` ${style.strong(left)}${space}${right}`, rule({ columns, style })];
}

/** @param words at the right end of the rule */
export function rule({ columns, style }: Pick<Look, "columns" | "style">, words = ""): string {
  if (words === "") return style.faint("─".repeat(columns));
  return style.faint(`${"─".repeat(Math.max(0, columns - textWidth(words) - 4))} ${words} ──`);
}

/** `16–30 of 300`; empty if all are shown. */
export function windowWords(top: number, room: number, all: number): string {
  return all <= room ? "" : `${String(top + 1)}–${String(Math.min(all, top + room))} of ${String(all)}`;
}

/** Always the same number of lines; longer text is cut. */
export function inLines(text: string, width: number, count: number): string[] {
  const lines = wrapWhole(oneLine(text), width);
  if (lines.length > count) lines[count - 1] = cutTo(`${lines[count - 1]!} …`, width);
  return Array.from({ length: count }, (_, index) => lines[index] ?? "");
}

/** As many of the parts as fit, from the first. */
export function joinFitting(parts: readonly string[], room: number): string {
  const shown = [...parts];
  while (shown.length > 1 && textWidth(shown.join(BETWEEN)) > room) shown.pop();
  return cutTo(shown.join(BETWEEN), room);
}

export const BETWEEN = " · ";

export type KeyHint = readonly [key: string, does: string];

/** If there is no room for all keys, those in `spare` are left out, in their order. */
export function keyBar(hints: readonly KeyHint[], spare: readonly string[], note: string, look: Look): string {
  const { columns, style } = look;
  const width = (shown: readonly KeyHint[]): number =>
    1 + shown.reduce((sum, [key, does]) => sum + textWidth(key) + 1 + textWidth(does) + 2, 0);
  let shown = hints;
  const gone = [...spare];
  while (width(shown) > columns && gone.length > 0) {
    const next = gone.shift();
    shown = shown.filter(([key]) => key !== next);
  }
  if (note !== "") return ` ${style.info(cutTo(oneLine(note), columns - 2))}`;
  return ` ${shown.map(([key, does]) => `${style.strong(key)} ${style.faint(does)}`).join("  ")}`;
}
