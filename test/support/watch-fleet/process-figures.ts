/** What a process costs, as the kernel counts it: its id in; CPU, memory now and at most out. */
import { readFileSync } from "node:fs";

export interface ProcessFigures {
  /** Seconds of a core since its start. */
  readonly cpu: number;
  /** MiB of its resident set. */
  readonly rss: number;
  readonly most: number;
}

/** Of the kernel's counters, on all that Linux runs on today. */
const TICKS_A_SECOND = 100;

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mib = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  // What stands before may have spaces in it.
  const [, after = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const fields = after.split(" ").map(Number);
  return { cpu: (fields[11]! + fields[12]!) / TICKS_A_SECOND, rss: mib("VmRSS"), most: mib("VmHWM") };
}

/** @param share 0.5 for the median */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
