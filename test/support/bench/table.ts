/** Writes measured pairs as a Markdown table. */
import type { Measured } from "./measure.ts";

export interface Row {
  readonly what: string;
  /** Undefined if it took too long and was stopped. */
  readonly own: Measured | undefined;
  readonly peer: string;
  readonly other: Measured | undefined;
}

/** @param limitMs after which a run was stopped */
export function table(rows: readonly Row[], limitMs: number): string {
  const cells = rows.map(({ what, own, peer, other }) => [
    what,
    time(own, limitMs),
    memory(own),
    peer,
    time(other, limitMs),
    memory(other),
    ratio(own, other, limitMs),
  ]);
  const head = ["case", "anp", "memory", "peer", "peer's time", "memory", "anp / peer"];
  return [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function time(measured: Measured | undefined, limitMs: number): string {
  if (measured === undefined) return `> ${limitMs / 1000} s, ended`;
  return measured.wall >= 10_000 ? `${(measured.wall / 1000).toFixed(1)} s` : `${measured.wall.toFixed(0)} ms`;
}

function memory(measured: Measured | undefined): string {
  return measured === undefined ? "" : `${measured.memory.toFixed(0)} MiB`;
}

function ratio(own: Measured | undefined, other: Measured | undefined, limitMs: number): string {
  if (own === undefined) return "";
  if (other === undefined) return `< 1/${(limitMs / own.wall).toFixed(0)}`;
  return own.wall > other.wall ? (own.wall / other.wall).toFixed(2) : `1/${(other.wall / own.wall).toFixed(1)}`;
}
