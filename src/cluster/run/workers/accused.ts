/** Which clusters of a worker that ended may have ended it. */
import { isRunning, type Placed } from "./placed.ts";
import { FORGOTTEN_MS } from "./suspects.ts";

interface AccusedOptions {
  /** When a cluster was found guilty last, of whatever worker. */
  readonly lastGuilty: () => number;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
}

/**
 * Of one worker, each time that it ends. A pass is the most likely cause, so that it is those in a pass at first. It may
 * be a watch as well: where no pass was running, or the worker ends again and nobody was found guilty of the last time,
 * it may be any of them.
 */
export function accused({ lastGuilty, now }: AccusedOptions): (clusters: readonly Placed[]) => readonly Placed[] {
  let last = -Infinity;
  return (clusters) => {
    const isOpen = now() - last < FORGOTTEN_MS && lastGuilty() < last;
    last = now();
    const running = clusters.filter(isRunning);
    return running.length === 0 || isOpen ? clusters : running;
  };
}
