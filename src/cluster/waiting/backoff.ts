/** How long to wait after failures in a row. */

const LONGEST_BACKOFF_MS = 120_000;

/** Doubled each time, and between half and all of that. */
export function backoffMs(failures: number, random: () => number): number {
  const longest = Math.min(1000 * 2 ** (failures - 1), LONGEST_BACKOFF_MS);
  return longest * (0.5 + random() / 2);
}
