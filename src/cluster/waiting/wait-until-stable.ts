/** Reads something that may change, until two reads in a row return the same. */
import { pause } from "./pause.ts";

export interface StableOptions<T> {
  /** Two values with the same fingerprint count as the same. */
  readonly printOf: (value: T) => string;
  /** A fingerprint that needs no second read. */
  readonly known: string;
  /** Between two reads; 0 takes the first one. */
  readonly pauseMs: number;
  /** How many pauses at most. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** How to wait between two reads. */
  readonly rest?: typeof pause;
}

interface Settled<T> {
  /** Of the last read. */
  readonly value: T;
  readonly print: string;
  /** False if the value still changed after the last pause, or if the signal came first. */
  readonly isSettled: boolean;
}

/** Rejects with any error of `look`. */
export async function waitUntilStable<T>(look: () => T | Promise<T>, settling: StableOptions<T>): Promise<Settled<T>> {
  const { printOf, known, pauseMs, patience, signal, rest = pause } = settling;
  let value = await look();
  let print = printOf(value);
  let settled = pauseMs === 0 ? print : known;
  for (let pauses = 0; print !== settled; pauses++) {
    if (pauses === patience) return { value, print, isSettled: false };
    await rest(pauseMs, signal);
    if (signal.aborted) return { value, print, isSettled: false };
    value = await look();
    const now = printOf(value);
    if (now === print) settled = now;
    print = now;
  }
  return { value, print, isSettled: true };
}
