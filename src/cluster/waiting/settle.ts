/** Something that may be changing in, what it is once two looks in a row saw the same out. */
import { pause } from "./pause.ts";

export interface Settling<T> {
  /** What has to stay as it is. */
  readonly printOf: (value: T) => string;
  /** A print that needs no second look. */
  readonly known: string;
  /** Between two looks; 0 takes the first one. */
  readonly pauseMs: number;
  /** Pauses after which it is not waited for any longer. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** How to wait between two looks. */
  readonly rest?: typeof pause;
}

interface Settled<T> {
  /** Of the last look. */
  readonly value: T;
  readonly print: string;
  /** False where patience was not enough, or the signal came before. */
  readonly isSettled: boolean;
}

/** @param look throws what it throws */
export async function settle<T>(look: () => T | Promise<T>, settling: Settling<T>): Promise<Settled<T>> {
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
