/** The lines that frame a screen: who and where at the top, what keys do at the bottom. */
import { oneLine } from "../terminal/printable.ts";
import { cutTo, textWidth } from "../terminal/text-width.ts";
import { wrapWhole } from "../terminal/wrap.ts";
import type { FleetView } from "./fleet-view.ts";
import type { Look } from "./screen.ts";

/** What runs, where a screen says so. */
export function programWords({ observed }: Pick<FleetView, "observed">): string {
  return observed === undefined ? "anp watch" : "anp watch --observe";
}

/** The title left and the state of things right; where both do not fit, the title is cut. */
export function titleLines(title: string, state: string, { columns, style }: Look): string[] {
  const right = cutTo(state, columns - 12);
  const left = cutTo(title, columns - 3 - textWidth(right));
  const space = " ".repeat(Math.max(1, columns - 2 - textWidth(left) - textWidth(right)));
  return [` ${style.strong(left)}${space}${right}`, rule({ columns, style })];
}

/** @param words at its right end */
export function rule({ columns, style }: Pick<Look, "columns" | "style">, words = ""): string {
  if (words === "") return style.faint("─".repeat(columns));
  return style.faint(`${"─".repeat(Math.max(0, columns - textWidth(words) - 4))} ${words} ──`);
}

/** `16–30 of 300`; nothing where all of them are shown. */
export function windowWords(top: number, room: number, all: number): string {
  return all <= room ? "" : `${String(top + 1)}–${String(Math.min(all, top + room))} of ${String(all)}`;
}

/** Always as many lines; what does not fit into them is cut. */
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

/** Where there is no room for all, those that `spare` names go, the first one first. */
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
