/** A bell in, how to have it rung later out: of several times the one that was set last counts. */
import type { Bell } from "./bell.ts";
import { pause } from "./pause.ts";

/** Undefined takes it back; so does the signal. */
export function alarm(bell: Bell, signal: AbortSignal): (milliseconds: number | undefined) => void {
  let last = new AbortController();
  return (milliseconds) => {
    last.abort();
    if (milliseconds === undefined) return;
    last = new AbortController();
    const over = AbortSignal.any([signal, last.signal]);
    void pause(milliseconds, over).then(() => (over.aborted ? undefined : bell.ring()));
  };
}
