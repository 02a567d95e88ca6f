/** Lets so many run at once and no more: whoever asks first is served first. */

export interface Slots {
  /**
   * Waits for a place; undefined when the signal comes first. A suspect may be waiting for a server that does not
   * answer: all suspects together get half of the places, so that those who are well are never kept waiting by them.
   */
  readonly take: (suspect: boolean, signal: AbortSignal) => Promise<Release | undefined>;
}

type Release = () => void;

interface Waiting {
  readonly suspect: boolean;
  readonly begin: () => void;
}

/** Who failed last time never takes the last places. */
export function slots(atOnce: number): Slots {
  const suspectsAtOnce = Math.max(1, Math.floor(atOnce / 2));
  const queue: Waiting[] = [];
  let taken = 0;
  let suspects = 0;

  const serve = (): void => {
    for (let index = 0; index < queue.length && taken < atOnce;) {
      const { suspect, begin } = queue[index]!;
      if (suspect && suspects === suspectsAtOnce) {
        index++;
        continue;
      }
      queue.splice(index, 1);
      taken++;
      if (suspect) suspects++;
      begin();
    }
  };
  const release = (suspect: boolean): void => {
    taken--;
    if (suspect) suspects--;
    serve();
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
            resolve(() => release(suspect));
          },
        };
        signal.addEventListener("abort", forget);
        queue.push(waiting);
        serve();
      }),
  };
}
