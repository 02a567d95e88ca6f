/** Passes for ever: by the clock, sooner when somebody rings, later and later while they fail; ends with the signal. */
import type { Bell } from "./bell.ts";
import { pause } from "./pause.ts";
import type { PassResult } from "./reconcile.ts";

export interface LoopOptions {
  /** Between two passes when nobody rings: what the clusters say then is the truth, whatever was missed in between. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** 0 to 1: several clusters should not come all at once. */
  readonly random: () => number;
}

/** Changes come in flocks, and our own writes are among them. */
const SETTLE_MS = 300;
const LONGEST_BACKOFF_MS = 120_000;

export async function loop(pass: () => Promise<PassResult>, bell: Bell, options: LoopOptions): Promise<void> {
  const { intervalMs, signal, random } = options;
  let failures = 0;
  while (!signal.aborted) {
    bell.hush();
    failures = (await pass()) === "failed" ? failures + 1 : 0;
    if (failures > 0) await pause(backoffMs(failures, random), signal);
    else await Promise.race(raceOf(intervalMs * (0.9 + random() / 5), bell, signal));
  }
}

/** Doubled each time, and between half and all of that. */
export function backoffMs(failures: number, random: () => number): number {
  const longest = Math.min(1000 * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random() / 2);
}

function raceOf(waitMs: number, bell: Bell, signal: AbortSignal): Promise<void>[] {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const end = () => over.abort();
  const rung = bell.wait(either).then(() => (either.aborted ? undefined : pause(SETTLE_MS, signal)));
  return [pause(waitMs, either).finally(end), rung.finally(end)];
}
