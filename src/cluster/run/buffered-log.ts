/** Buffers log lines up to a limit, so that a watch does not wait for the reader of its log. */
import type { LogEntry } from "../objects/log-entry.ts";
import { pause } from "../waiting/pause.ts";

export interface BufferedLog {
  readonly add: (entry: LogEntry) => void;
  /** Ends when all lines are written, or after so many milliseconds. */
  readonly end: (milliseconds: number) => Promise<void>;
}

interface BufferedLogOptions {
  readonly format: (entry: LogEntry) => string;
  /** Ends when the text is written or failed. It is called again only then. */
  readonly write: (text: string) => Promise<void>;
  /** The size of the buffer, in characters. */
  readonly most?: number;
}

const MOST = 4 * 1024 * 1024;

/** The share of the buffer that lines of each level may fill: the worse ones have room when others have none. */
const SHARE: Readonly<Record<LogEntry["level"], number>> = { info: 0.5, warn: 0.75, error: 1 };

/** The characters of one write. Even a slow reader takes it soon, so that the count of dropped lines follows. */
const PIECE = 64 * 1024;

export function bufferedLog({ format, write, most = MOST }: BufferedLogOptions): BufferedLog {
  let waiting: string[] = [];
  let size = 0;
  let dropped = 0;
  let writing: Promise<void> | undefined;

  const append = (text: string): void => {
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
      if (dropped > 0) append(format({ level: "warn", msg: "log lines dropped", fields: { lines: dropped } }));
      dropped = 0;
    }
    writing = undefined;
  };

  return {
    add: (entry) => {
      const text = format(entry);
      if (size + text.length > most * SHARE[entry.level]) dropped++;
      else append(text);
      if (waiting.length > 0) writing ??= writeAll();
    },
    end: async (milliseconds) => {
      const over = new AbortController();
      await Promise.race([writing, pause(milliseconds, over.signal)]);
      over.abort();
    },
  };
}
