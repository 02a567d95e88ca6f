/** Keeps the newest log lines for the dashboard, each as it would have been written. */
import type { LogEntry } from "../../cluster/objects/log-entry.ts";
import type { LogLine } from "../../report/dashboard/fleet-view.ts";

export interface RecentLog {
  readonly add: (entry: LogEntry, time: Date) => void;
  /** Oldest first; a new array after each line. */
  readonly lines: () => readonly LogLine[];
  readonly entries: () => readonly { readonly entry: LogEntry; readonly time: Date }[];
}

const KEPT = 500;

export function recentLog(): RecentLog {
  let entries: readonly { readonly entry: LogEntry; readonly time: Date }[] = [];
  let lines: readonly LogLine[] = [];
  return {
    add: (entry, time) => {
      entries = [...entries, { entry, time }].slice(-KEPT);
      lines = [...lines, lineOf(entry, time)].slice(-KEPT);
    },
    lines: () => lines,
    entries: () => entries,
  };
}

/** `03:00:12 warn deleting cluster=c1 object="NodePool web"`, with the time in UTC, as in the log. */
function lineOf({ level, msg, fields }: LogEntry, time: Date): LogLine {
  const { cluster } = fields;
  const words = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${/^[^\s"=]+$/.test(String(value)) ? String(value) : JSON.stringify(value)}`],
  );
  const head = [time.toISOString().slice(11, 19), ...(level === "info" ? [] : [level]), msg];
  return { cluster: typeof cluster === "string" ? cluster : undefined, level, text: [...head, ...words].join(" ") };
}
