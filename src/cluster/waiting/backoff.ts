/** How long to wait: backoff after failures in a row, and debounce after changes. */

const LONGEST_BACKOFF_MS = 120_000;

/** Doubles with each failure. Jitter spreads retries over the second half of the time. */
export function backoffMs(failures: number, random: () => number): number {
  const longest = Math.min(1000 * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random() / 2);
}

/** A server that ends each watch after a moment must not reset the backoff each time. */
const LONG_ENOUGH_MS = 10_000;

/** Whether 10 seconds have passed since this call. */
export function livedLongEnough(): () => boolean {
  const begun = performance.now();
  return () => performance.now() - begun >= LONG_ENOUGH_MS;
}

/** Changes often come several at once, and our own writes are among them. */
const SETTLE_MS = 100;

/** A token bucket. Without it, another writer that undoes each correction would keep anp busy for ever. */
const AT_ONCE = 20;
const ONE_MORE_AFTER_MS = 3000;

/**
 * @param now milliseconds of a monotonic clock
 * @returns milliseconds to wait after a change
 */
export function debounce(now: () => number): () => number {
  let left = AT_ONCE;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(AT_ONCE, left + (time - last) / ONE_MORE_AFTER_MS) - 1;
    last = time;
    return SETTLE_MS + Math.max(0, -left) * ONE_MORE_AFTER_MS;
  };
}
