/** Whether all watches of a hosted cluster go on: then what they do not tell has not happened. */

/** Of one watch. */
export interface Pulse {
  readonly heard: () => void;
  readonly broke: () => void;
}

export interface WatchLiveness {
  /** One more watch, which has not been heard yet. */
  readonly pulse: () => Pulse;
  /** Each of them has been heard not long ago, and none has broken since the last pass began. */
  readonly isQuiet: () => boolean;
  /** A pass begins: it sees all that was missed until now. */
  readonly passed: () => void;
}

/** An API server tells each watch once a minute that there is nothing to tell (docs/upstream/hosts.md#watches). */
const HEARD_MS = 150_000;

/** @param now milliseconds of a clock that only goes on */
export function watchLiveness(now: () => number): WatchLiveness {
  const last: { at: number; broken: boolean }[] = [];
  return {
    pulse: () => {
      const watch = { at: -Infinity, broken: false };
      last.push(watch);
      return {
        heard: () => {
          watch.at = now();
        },
        broke: () => {
          watch.broken = true;
        },
      };
    },
    isQuiet: () => last.length > 0 && last.every(({ at, broken }) => !broken && now() - at < HEARD_MS),
    passed: () => {
      for (const watch of last) watch.broken = false;
    },
  };
}
