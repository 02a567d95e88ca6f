/** Raises a pending signal later: of several times the one that was set last counts. */
import type { PendingSignal } from "./pending-signal.ts";
import { pause } from "./pause.ts";

/** Undefined takes it back; so does the signal. */
export function alarm(pending: PendingSignal, signal: AbortSignal): (milliseconds: number | undefined) => void {
  let last = new AbortController();
  return (milliseconds) => {
    last.abort();
    if (milliseconds === undefined) return;
    last = new AbortController();
    const over = AbortSignal.any([signal, last.signal]);
    void pause(milliseconds, over).then(() => (over.aborted ? undefined : pending.raise()));
  };
}
