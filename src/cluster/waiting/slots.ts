/** Lets so many run at once and no more: whoever asks first is served first. */

export interface Slots {
  /**
   * Waits for a place; undefined when the signal comes first. A suspect may be waiting for a server that does not
   * answer: all suspects together get half of the places, so that those who are well are never kept waiting by them.
   */
  readonly take: (suspect: boolean, signal: AbortSignal) => Promise<Release | undefined>;
}

/** Gives the place back. */
export interface Release {
  (): void;
  /** It takes long, and may be waiting for a server that is slow: another one may begin in its place. */
  readonly slow: () => void;
}

/** Times the places: with those that have turned slow there are never more than so many. */
const MOST = 4;

interface Waiting {
  readonly suspect: boolean;
  readonly begin: () => void;
}

/**
 * Who failed last time never takes the last places. Who turns slow keeps nobody waiting either: several that come to hang
 * at one moment cost the others no more than the time after which they are called so.
 */
export function slots(atOnce: number): Slots {
  const suspectsAtOnce = Math.max(1, Math.floor(atOnce / 2));
  const queue: Waiting[] = [];
  let well = 0;
  let suspects = 0;
  let slow = 0;
  const mayBegin = (suspect: boolean): boolean =>
    well + suspects < atOnce && well + suspects + slow < MOST * atOnce && (!suspect || suspects < suspectsAtOnce);

  const serve = (): void => {
    for (let index = 0; index < queue.length;) {
      const { suspect, begin } = queue[index]!;
      if (!mayBegin(suspect)) {
        index++;
        continue;
      }
      queue.splice(index, 1);
      if (suspect) suspects++;
      else well++;
      begin();
    }
  };
  const releaseOf = (suspect: boolean): Release => {
    let leave = suspect ? () => void suspects-- : () => void well--;
    const release = (): void => {
      leave();
      leave = () => undefined;
      serve();
    };
    let mayTurn = !suspect;
    const turnSlow = (): void => {
      if (!mayTurn) return;
      mayTurn = false;
      leave();
      slow++;
      leave = () => void slow--;
      serve();
    };
    return Object.assign(
      () => {
        mayTurn = false;
        release();
      },
      { slow: turnSlow },
    );
  };

  return {
    take: (suspect, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined);
        const forget = (): void => {
          const index = queue.indexOf(waiting);
          if (index >= 0) queue.splice(index, 1);
          resolve(undefined);
        };
        const waiting: Waiting = {
          suspect,
          begin: () => {
            signal.removeEventListener("abort", forget);
            resolve(releaseOf(suspect));
          },
        };
        signal.addEventListener("abort", forget);
        queue.push(waiting);
        serve();
      }),
  };
}
