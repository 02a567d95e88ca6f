/** Whether all watches of a hosted cluster are alive, so that every change is reported. */

/** Of one watch. */
export interface Pulse {
  readonly heard: () => void;
  readonly broke: () => void;
}

export interface WatchLiveness {
  /** Adds a watch, which has received nothing yet. */
  readonly pulse: () => Pulse;
  /** Each watch has received something lately, and none has ended since the last pass began. */
  readonly isQuiet: () => boolean;
  /** A pass begins, and reads all that was missed until now. */
  readonly passed: () => void;
}

/** An API server sends a bookmark to each watch once a minute (docs/upstream/hosts.md#watches). */
const HEARD_MS = 150_000;

/** @param now milliseconds of a monotonic clock */
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
