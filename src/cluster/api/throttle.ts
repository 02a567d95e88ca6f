/** When a server that is too busy wants to be asked again: by its Retry-After, within bounds. */

export interface Throttle {
  /** 0 where it may be asked at once. */
  readonly waitMs: () => number;
  /** Of an answer 429. */
  readonly told: (retryAfter: string | undefined) => void;
}

/** What a server may ask for: one that says a day is not left alone for a day. */
const LONGEST_MS = 60_000;
const WITHOUT_A_WORD_MS = 1000;

/** Of one server, for all who ask it. @param now milliseconds of a clock that only goes on */
export function throttle(now: () => number): Throttle {
  let until = 0;
  return {
    waitMs: () => Math.max(0, until - now()),
    told: (retryAfter) => {
      const seconds = Number(retryAfter ?? Number.NaN);
      const asked = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : WITHOUT_A_WORD_MS;
      until = Math.max(until, now() + Math.min(Math.max(asked, 50), LONGEST_MS));
    },
  };
}
