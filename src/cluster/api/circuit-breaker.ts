/** When an API server may be asked: closed after timeouts, and during its Retry-After. */

export interface CircuitBreaker {
  /** The server answered: the breaker closes. */
  readonly answered: () => void;
  /** A request was given up after its whole time limit. */
  readonly timedOut: () => void;
  /** The last requests timed out a moment ago: no further request is sent. */
  readonly isOpen: () => boolean;
}

/** A single request may be slow for a reason of its own. */
const TIMEOUTS_TO_OPEN = 2;

/**
 * A pass that waits for a server that hangs delays the passes of other clusters.
 *
 * @param openMs how long the server is not asked once the breaker is open
 * @param now milliseconds of a monotonic clock
 */
export function circuitBreaker(openMs: number, now: () => number): CircuitBreaker {
  let timeouts = 0;
  let last = 0;
  return {
    answered: () => {
      timeouts = 0;
    },
    timedOut: () => {
      timeouts++;
      last = now();
    },
    isOpen: () => timeouts >= TIMEOUTS_TO_OPEN && now() - last < openMs,
  };
}

export interface RetryAfter {
  /** 0 if the server may be asked at once. */
  readonly waitMs: () => number;
  /** @param header Retry-After of an answer 429, in seconds */
  readonly throttled: (header: string | undefined) => void;
}

/** The longest Retry-After that is obeyed: a server that says a day is not left alone for a day. */
const LONGEST_MS = 60_000;
const SHORTEST_MS = 50;
const DEFAULT_MS = 1000;

/** Of one server, shared by all requests to it. @param now milliseconds of a monotonic clock */
export function retryAfter(now: () => number): RetryAfter {
  let until = 0;
  return {
    waitMs: () => Math.max(0, until - now()),
    throttled: (header) => {
      const seconds = Number(header ?? Number.NaN);
      const asked = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : DEFAULT_MS;
      until = Math.max(until, now() + Math.min(Math.max(asked, SHORTEST_MS), LONGEST_MS));
    },
  };
}
