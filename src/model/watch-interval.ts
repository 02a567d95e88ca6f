/** Parses the time between two passes of `anp watch`, in milliseconds. */
import { parseGoDuration } from "./go-duration.ts";

const SHORTEST_NS = 1_000_000_000n;

/** A daily pass finds changes without an event. JavaScript's timers for more than 24 days fire at once. */
const LONGEST_NS = 86_400_000_000_000n;

/** What to write instead, for messages. */
export const WATCH_INTERVALS = "a duration from one second to a day, such as 30s or 5m";

/** Undefined if a watch cannot keep the interval. */
export function parseWatchInterval(text: string): number | undefined {
  const duration = parseGoDuration(text);
  if (duration === undefined || duration < SHORTEST_NS || duration > LONGEST_NS) return undefined;
  return Number(duration / 1_000_000n);
}
