/** The log of a watch, which does not wait for its reader: lines not written yet have a limit. */
import type { LogEntry } from "../objects/log-entry.ts";
import { pause } from "../waiting/pause.ts";

export interface LateLog {
  readonly tell: (entry: LogEntry) => void;
  /** Ends when all is written, or after so long. */
  readonly end: (milliseconds: number) => Promise<void>;
}

interface LateLogOptions {
  readonly format: (entry: LogEntry) => string;
  /** Ends when it is written, whatever became of it. Called again only then. */
  readonly write: (text: string) => Promise<void>;
  /** Characters that may wait. */
  readonly most?: number;
}

const MOST = 4 * 1024 * 1024;

/** Of what may wait: what is worse has room when the rest has none. */
const SHARE: Readonly<Record<LogEntry["level"], number>> = { info: 0.5, warn: 0.75, error: 1 };

/** Of one write: who reads slowly takes it soon all the same, and what waits may still be reported. */
const PIECE = 64 * 1024;

export function lateLog({ format, write, most = MOST }: LateLogOptions): LateLog {
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const add = (text: string): void => {
    waiting.push(text);
    size += text.length;
  };
  const next = (): string => {
    let length = 0;
    let count = 0;
    while (count < waiting.length && (count === 0 || length + waiting[count]!.length <= PIECE))
      length += waiting[count++]!.length;
    const piece = waiting.slice(0, count).join("");
    waiting = waiting.slice(count);
    return piece;
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const piece = next();
      await write(piece);
      size -= piece.length;
      if (dropped > 0) add(format({ level: "warn", msg: "log lines dropped", fields: { lines: dropped } }));
      dropped = 0;
    }
    writing = undefined;
  };

  return {
    tell: (entry) => {
      const text = format(entry);
      if (size + text.length > most * SHARE[entry.level]) dropped++;
      else add(text);
      if (waiting.length > 0) writing ??= writeAll();
    },
    end: async (milliseconds) => {
      const late = new AbortController();
      await Promise.race([writing, pause(milliseconds, late.signal)]);
      late.abort();
    },
  };
}
