/** Recent lines of the log in, as lines to read out: each whole, the newest last. */
import type { Style } from "../terminal/style.ts";
import type { LogLine } from "./fleet-view.ts";
import { wrapWhole } from "../terminal/wrap.ts";

/** @param cluster only lines of this cluster; undefined for all */
export function logText(log: readonly LogLine[], cluster: string | undefined, width: number, style: Style): string[] {
  const lines = log.filter((line) => cluster === undefined || line.cluster === cluster);
  if (lines.length === 0) return [style.faint(" Nothing has been logged yet.")];
  return lines.flatMap(({ level, text }) => {
    const paint = level === "info" ? undefined : style[level === "warn" ? "warning" : "error"];
    return wrapWhole(text, width - 2, 2).map((line) => ` ${paint === undefined ? line : paint(line)}`);
  });
}
