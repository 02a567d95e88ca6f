/** Short texts for a length of time, in coarse steps so that the screen does not flicker. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `5s`, `10s`, … `55s`, `1m`, `2h`, `3d`. */
export function ageWords(milliseconds: number): string {
  if (milliseconds <= 55 * SECOND) return `${Math.max(1, Math.ceil(milliseconds / (5 * SECOND))) * 5}s`;
  if (milliseconds < HOUR) return `${Math.max(1, Math.floor(milliseconds / MINUTE))}m`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)}h`;
  return `${Math.floor(milliseconds / DAY)}d`;
}

/** The same for a time to wait; `now` if it is over. */
export function untilWords(milliseconds: number): string {
  return milliseconds <= 0 ? "now" : ageWords(milliseconds);
}
