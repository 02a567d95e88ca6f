/** Limits the log lines of a pass: the most severe lines, and a count of the others. */
import { type LogEntry, shortened } from "../objects/log-entry.ts";

/** Lines of one kind about the current state. The objects themselves show all of it. */
export const MOST_LINES = 100;

/** Lines about changes, which are shown nowhere else: as many as the events of one pass. */
export const MOST_CHANGES = 500;

const WORST_FIRST: readonly LogEntry["level"][] = ["error", "warn", "info"];

interface Bound {
  readonly most: number;
  /** What the lines are about, for the line with the count. */
  readonly of: string;
  readonly cluster: string;
}

/** Users can create any number of invalid objects, and all log lines go through one thread to one stream. */
export function boundedLines(lines: readonly LogEntry[], { most, of, cluster }: Bound): LogEntry[] {
  if (lines.length <= most) return lines.map(shortened);
  const byLevel = Map.groupBy(lines, ({ level }) => level);
  const sorted = WORST_FIRST.flatMap((level) => byLevel.get(level) ?? []);
  const others = sorted.slice(most);
  const { level } = others[0]!;
  const rest: LogEntry = { level, msg: `and ${others.length} more`, fields: { cluster, of } };
  return [...sorted.slice(0, most).map(shortened), rest];
}
