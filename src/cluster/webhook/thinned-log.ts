/** A log that nobody can flood: the first line of a kind at once, those like it as one, counted. */
import type { LogEntry } from "../objects/log-entry.ts";

const QUIET_MS = 10_000;
/** Different lines at a time; who makes up new ones is not told apart any more. */
const KINDS = 50;

export interface ThinnedLog {
  /** @param objects added up */
  readonly tell: (entry: LogEntry, objects?: number) => void;
  /** Tells what has not been told yet. */
  readonly close: () => void;
}

interface Like {
  readonly entry: LogEntry;
  times: number;
  objects: number;
}

export function thinnedLog(log: (entry: LogEntry) => void, quietMs = QUIET_MS): ThinnedLog {
  /** Since the last line. Those that were told then and have not come again stand there with zero. */
  let waiting = new Map<string, Like>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    const told = [...waiting.values()].filter(({ times }) => times > 0);
    waiting = new Map(told.map((like) => [keyOf(like.entry), { ...like, times: 0, objects: 0 }]));
    timer = told.length === 0 ? undefined : setTimeout(flush, quietMs).unref();
    for (const like of told) log(counted(like));
  };

  return {
    tell: (given, objects = 0) => {
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
