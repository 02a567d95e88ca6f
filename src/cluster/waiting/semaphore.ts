/** A semaphore, first come first served, that gives failed callers only half of the slots. */

export interface Semaphore {
  /**
   * Waits for a slot; undefined if the signal comes first.
   *
   * @param recentlyFailed it may wait for a server that does not answer. All such callers together get half of the
   *   slots, so that healthy callers never wait for them.
   */
  readonly acquire: (recentlyFailed: boolean, signal: AbortSignal) => Promise<ReleaseSlot | undefined>;
}

/** Gives the slot back. */
export interface ReleaseSlot {
  (): void;
  /** The holder takes long, perhaps because its server is slow. Another caller may begin in its slot. */
  readonly markSlow: () => void;
}

/** With slow holders, at most this many times the number of slots run at once. */
const MOST = 4;

interface Waiting {
  readonly recentlyFailed: boolean;
  readonly begin: () => void;
}

/**
 * Callers that failed recently never take the last slots, and slow holders do not keep others waiting. If several
 * holders hang at once, others wait only until those are marked as slow.
 */
export function semaphore(slots: number): Semaphore {
  const slotsForFailed = Math.max(1, Math.floor(slots / 2));
  const queue: Waiting[] = [];
  let healthy = 0;
  let failed = 0;
  let slow = 0;
  const mayBegin = (recentlyFailed: boolean): boolean =>
    healthy + failed < slots && healthy + failed + slow < MOST * slots && (!recentlyFailed || failed < slotsForFailed);

  const serve = (): void => {
    for (let index = 0; index < queue.length;) {
      const { recentlyFailed, begin } = queue[index]!;
      if (!mayBegin(recentlyFailed)) {
        index++;
        continue;
      }
      queue.splice(index, 1);
      if (recentlyFailed) failed++;
      else healthy++;
      begin();
    }
  };
  const releaseOf = (recentlyFailed: boolean): ReleaseSlot => {
    let leave = recentlyFailed ? () => void failed-- : () => void healthy--;
    const release = (): void => {
      leave();
      leave = () => undefined;
      serve();
    };
    let mayTurnSlow = !recentlyFailed;
    const markSlow = (): void => {
      if (!mayTurnSlow) return;
      mayTurnSlow = false;
      leave();
      slow++;
      leave = () => void slow--;
      serve();
    };
    return Object.assign(
      () => {
        mayTurnSlow = false;
        release();
      },
      { markSlow },
    );
  };

  return {
    acquire: (recentlyFailed, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const forget = (): void => {
          const index = queue.indexOf(waiting);
          if (index >= 0) queue.splice(index, 1);
          resolve(undefined);
        };
        const waiting: Waiting = {
          recentlyFailed,
          begin: () => {
            signal.removeEventListener("abort", forget);
            resolve(releaseOf(recentlyFailed));
          },
        };
        signal.addEventListener("abort", forget);
        queue.push(waiting);
        serve();
      }),
  };
}
