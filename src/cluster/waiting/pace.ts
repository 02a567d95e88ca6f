/** How long to wait before a change is followed: the more changes have come, the longer. */

/** Changes come in flocks, and our own writes are among them. */
const SETTLE_MS = 100;

/** So many are followed at once; whoever sets back what anp sets right would else keep both busy for ever. */
const AT_ONCE = 20;
const ONE_MORE_AFTER_MS = 3000;

/**
 * At once while changes are few, later where they never end.
 *
 * @param now milliseconds of a clock that only goes on
 */
export function pace(now: () => number): () => number {
  let left = AT_ONCE;
  let last = now();
  return () => {
    const time = now();
    left = Math.min(AT_ONCE, left + (time - last) / ONE_MORE_AFTER_MS) - 1;
    last = time;
    return SETTLE_MS + Math.max(0, -left) * ONE_MORE_AFTER_MS;
  };
}
