/** Whether a server that has been silent is worth asking now. */

export interface Silence {
  readonly answered: () => void;
  /** A request was given up after its whole time limit. */
  readonly unanswered: () => void;
  readonly isFresh: () => boolean;
}

/** One request may be slow for a reason of its own. */
const SILENT_AFTER = 2;

/**
 * Who waits for a server that hangs keeps others waiting.
 *
 * @param now milliseconds of a clock that only goes on
 */
export function silence(leaveAloneMs: number, now: () => number): Silence {
  let inARow = 0;
  let last = 0;
  return {
    answered: () => {
      inARow = 0;
    },
    unanswered: () => {
      inARow++;
      last = now();
    },
    isFresh: () => inARow >= SILENT_AFTER && now() - last < leaveAloneMs,
  };
}
