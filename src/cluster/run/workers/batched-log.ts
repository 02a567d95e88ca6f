/** Lines of a worker's log, told to the main thread as one message for each turn of the loop. */
import type { LogEntry } from "../../objects/log-entry.ts";
import type { FromWorker } from "./messages.ts";

export interface BatchedLog {
  readonly log: (entry: LogEntry) => void;
  /** Everything else: lines that came before it are told before it. */
  readonly tell: (message: FromWorker) => void;
}

export function batchedLog(post: (message: FromWorker) => void): BatchedLog {
  let entries: LogEntry[] = [];
  const flush = (): void => {
    if (entries.length === 0) return;
    const told = entries;
    entries = [];
    post({ kind: "log", entries: told });
  };
  return {
    log: (entry) => {
      if (entries.push(entry) === 1) queueMicrotask(flush);
    },
    tell: (message) => {
      flush();
      post(message);
    },
  };
}
