/** The time between two passes of `anp watch` as people write it in, milliseconds out. */
import { parseGoDuration } from "./go-duration.ts";

const SHORTEST_NS = 1_000_000_000n;

/** A pass a day finds what nobody told of; a timer of JavaScript that is set for more than 24 days ends at once. */
const LONGEST_NS = 86_400_000_000_000n;

/** What to write instead, for messages. */
export const WATCH_INTERVALS = "a duration from one second to a day, such as 30s or 5m";

/** Undefined where it is none that a watch can keep. */
export function parseWatchInterval(text: string): number | undefined {
  const duration = parseGoDuration(text);
  if (duration === undefined || duration < SHORTEST_NS || duration > LONGEST_NS) return undefined;
  return Number(duration / 1_000_000n);
}
