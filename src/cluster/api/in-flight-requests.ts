/** What is asked of an API server without an answer yet: reads, which may be cut, and writes. */

export interface InFlightRequests {
  /** Out comes what says that it has ended. */
  readonly begin: (isRead: boolean) => () => void;
  /** The server may still do what it was told. */
  readonly writes: () => boolean;
  /** Nothing but reads, of which none has ended for so long. */
  readonly onlyWaits: (milliseconds: number) => boolean;
}

/** @param now milliseconds of a clock that only goes on */
export function inFlightRequests(now: () => number): InFlightRequests {
  let reads = 0;
  let writes = 0;
  let changed = now();
  return {
    begin: (isRead) => {
      changed = now();
      if (isRead) reads++;
      else writes++;
      return () => {
        changed = now();
        if (isRead) reads--;
        else writes--;
      };
    },
    writes: () => writes > 0,
    onlyWaits: (milliseconds) => writes === 0 && reads > 0 && now() - changed >= milliseconds,
  };
}
