/** Wakes a waiting loop, as a workqueue of one item: a signal before the wait is not lost. */
import { pause } from "./pause.ts";

export interface WakeUp {
  readonly raise: () => void;
  /** Forgets earlier signals, because the caller now reads the newest state. */
  readonly clear: () => void;
  /** Ends when it has been raised since it was cleared, or with the signal. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
}

export function wakeUp(): WakeUp {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise: () => {
      raised = true;
      wake?.();
    },
    clear: () => {
      raised = false;
    },
    wait: async (signal) => {
      if (raised || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const end = () => {
          signal.removeEventListener("abort", end);
          if (wake === end) wake = undefined;
          resolve();
        };
        wake = end;
        signal.addEventListener("abort", end);
      });
    },
  };
}

/**
 * Raises a WakeUp later. Each call replaces the time of the call before; undefined cancels it.
 *
 * @param signal cancels it for good
 */
export function delayedWakeUp(target: WakeUp, signal: AbortSignal): (milliseconds: number | undefined) => void {
  let last = new AbortController();
  return (milliseconds) => {
    last.abort();
    if (milliseconds === undefined) return;
    last = new AbortController();
    const over = AbortSignal.any([signal, last.signal]);
    void pause(milliseconds, over).then(() => (over.aborted ? undefined : target.raise()));
  };
}
