/** Many lines of the log in, the worst of them and how many more there are out. */
import { type LogEntry, shortened } from "../objects/log-entry.ts";

/** How things stand, of each kind: whoever wants to see all of it looks at the objects. */
export const MOST_LINES = 100;

/** What was changed stands nowhere else: as many as events of one pass. */
export const MOST_CHANGES = 500;

const WORST_FIRST: readonly LogEntry["level"][] = ["error", "warn", "info"];

interface Bound {
  readonly most: number;
  /** What they are, for the line that counts the others. */
  readonly of: string;
  readonly cluster: string;
}

/** Users make as many wrong objects as they like; all that is told of them goes through one thread to one stream. */
export function boundedLines(lines: readonly LogEntry[], { most, of, cluster }: Bound): LogEntry[] {
  if (lines.length <= most) return lines.map(shortened);
  const byLevel = Map.groupBy(lines, ({ level }) => level);
  const sorted = WORST_FIRST.flatMap((level) => byLevel.get(level) ?? []);
  const others = sorted.slice(most);
  const { level } = others[0]!;
  const rest: LogEntry = { level, msg: `and ${others.length} more`, fields: { cluster, of } };
  return [...sorted.slice(0, most).map(shortened), rest];
}
