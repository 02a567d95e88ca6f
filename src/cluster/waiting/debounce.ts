/** Debounces changes before a pass: the more changes have come, the longer the wait. */

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
