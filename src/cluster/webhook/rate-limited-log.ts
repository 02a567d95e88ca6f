/** A log that clients cannot flood: it writes the first of equal entries, and counts the others. */
import type { LogEntry } from "../objects/log-entry.ts";

const QUIET_MS = 10_000;
/** Different entries at a time. More are counted together. */
const KINDS = 50;

export interface RateLimitedLog {
  /** @param objects added up */
  readonly write: (entry: LogEntry, objects?: number) => void;
  /** Writes the counts that were not written yet. */
  readonly close: () => void;
}

interface Like {
  readonly entry: LogEntry;
  times: number;
  objects: number;
}

export function rateLimitedLog(log: (entry: LogEntry) => void, quietMs = QUIET_MS): RateLimitedLog {
  /** Entries since the last flush. Entries that were written then and have not come again have a count of zero. */
  let waiting = new Map<string, Like>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    const repeated = [...waiting.values()].filter(({ times }) => times > 0);
    waiting = new Map(repeated.map((like) => [keyOf(like.entry), { ...like, times: 0, objects: 0 }]));
    timer = repeated.length === 0 ? undefined : setTimeout(flush, quietMs).unref();
    for (const like of repeated) log(counted(like));
  };

  return {
    write: (given, objects = 0) => {
      const entry = waiting.size < KINDS || waiting.has(keyOf(given)) ? given : OTHERS;
      const key = keyOf(entry);
      const like = waiting.get(key);
      if (like === undefined) {
        waiting.set(key, { entry, times: 0, objects: 0 });
        log(counted({ entry, times: 1, objects }));
      } else {
        like.times += 1;
        like.objects += objects;
      }
      timer ??= setTimeout(flush, quietMs).unref();
    },
    close: () => {
      clearTimeout(timer);
      for (const like of waiting.values()) if (like.times > 0) log(counted(like));
      waiting.clear();
    },
  };
}

const OTHERS: LogEntry = { level: "warn", msg: "more of other kinds", fields: {} };

function counted({ entry, times, objects }: Like): LogEntry {
  const numbers = { times, ...(objects === 0 ? {} : { objects }) };
  return { ...entry, fields: { ...entry.fields, ...numbers } };
}

function keyOf({ level, msg, fields }: LogEntry): string {
  return JSON.stringify([level, msg, fields]);
}
