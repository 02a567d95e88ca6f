/** One pass of a cluster in a process of its own: this program with the same arguments. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { memoize } from "../../model/memoize.ts";
import { ALONE_VARIABLE } from "../../model/watch-fields.ts";
import type { LogEntry } from "../objects/log-entry.ts";

/** What a process that has a pass of one cluster is told, again and again. */
export interface FenceMessage {
  /** By `process.hrtime`, which is one clock for all processes of a machine: no request goes out later. */
  readonly until: string;
}

interface AloneOptions {
  /** Of the cluster, as `--cluster` names it. */
  readonly name: string;
  /** Until when this replica may work, by `performance.now()`. */
  readonly worksUntil: () => number;
  readonly log: (entry: LogEntry) => void;
  /** Ends the process at once. */
  readonly signal: AbortSignal;
}

const TELL_MS = 500;
/** A pass has two minutes, and the program has to start. */
const LIMIT_MS = 150_000;
const NS_PER_MS = 1e6;

/** Codes of `anp watch --once`, whatever came of the pass: a configuration that is wrong by now is no crash either. */
const ENDED = [0, 1, 2, 3, 4];

/** @returns why the process did not come to its end, in a few words; undefined when it did, or was ended by the signal */
export async function passAlone({ name, worksUntil, log, signal }: AloneOptions): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const [program = "", ...args] = againArguments();
  const child = spawn(program, args, {
    // V8 gives each process half of the container's memory at most: it ends before the kernel ends all of them.
    env: { ...process.env, [ALONE_VARIABLE]: name },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  const end = (): void => void child.kill("SIGKILL");
  let isLate = false;
  const tell = (): void => {
    // It may have ended in the meantime, and is heard of in a moment.
    if (child.connected) child.send({ until: String(momentOf(worksUntil())) } satisfies FenceMessage, () => undefined);
  };
  const telling = setInterval(tell, TELL_MS);
  const limit = setTimeout(() => {
    isLate = true;
    end();
  }, LIMIT_MS);
  signal.addEventListener("abort", end);
  // Where no process can be started, the cluster is worked on all the same.
  child.on("error", ({ message }) => {
    log({ level: "warn", msg: "no process for a pass", fields: { cluster: name, reason: message } });
    resolve(undefined);
  });
  child.on("close", (code, by) => {
    if (isLate) resolve(`it did not end within ${LIMIT_MS / 1000} seconds`);
    else if (by !== null) resolve(`it was ended by ${by}`);
    else resolve(ENDED.includes(code ?? 0) ? undefined : `it ended with ${code}`);
  });
  createInterface({ input: child.stderr! }).on("line", (line) => {
    const entry = entryOf(line);
    if (entry !== undefined) log(entry);
  });
  tell();
  const why = await ended;
  clearInterval(telling);
  clearTimeout(limit);
  signal.removeEventListener("abort", end);
  return signal.aborted ? undefined : why;
}

function againArguments(): readonly string[] {
  const [program = "", ...rest] = process.argv;
  // An executable puts its own path in the place of the script's.
  if (process.getBuiltinModule("node:sea").isSea()) return [process.execPath, ...rest.slice(1)];
  return [program, ...process.execArgv, ...rest];
}

/** The clock for all is asked first: a process that is stopped between the two has too little time, and never too much. */
function momentOf(milliseconds: number): bigint {
  const now = process.hrtime.bigint();
  const left = milliseconds - performance.now();
  return left > 0 ? now + BigInt(Math.floor(Math.min(left, LIMIT_MS) * NS_PER_MS)) : 0n;
}

const lineSchema = memoize(() =>
  z.catchall(
    z.object({ time: z.string(), level: z.enum(["info", "warn", "error"]), msg: z.string() }),
    z.union([z.string(), z.number(), z.boolean()]),
  ),
);

/** Undefined for what is no line of the log, such as the last words of a program that breaks. */
function entryOf(line: string): LogEntry | undefined {
  try {
    const { success, data } = lineSchema().safeParse(JSON.parse(line));
    if (!success) return undefined;
    const { time: _time, level, msg, ...fields } = data;
    return { level, msg, fields };
  } catch {
    return undefined;
  }
}
