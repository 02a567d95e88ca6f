/** Backoff after failures in a row, and how long success must last to end it. */

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
