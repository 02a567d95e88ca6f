/** Runs one pass of a cluster in a process of its own: this program with the same arguments. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import * as z from "zod/mini";
import { memoize } from "../../model/schema/memoize.ts";
import { ALONE_VARIABLE } from "../../model/settings/watch-config.ts";
import { ClusterError } from "../api/api-answer.ts";
import type { LogEntry } from "../objects/log-entry.ts";

/** The message that a process with one pass gets every half second. */
interface FenceMessage {
  /** No request is sent later, by `process.hrtime`, which is one clock for all processes of a machine. */
  readonly until: string;
}

interface AloneOptions {
  /** The name of the cluster, as in `--cluster`. */
  readonly name: string;
  /** Until when this replica may work, by `performance.now()`. */
  readonly worksUntil: () => number;
  readonly log: (entry: LogEntry) => void;
  /** Kills the process. */
  readonly signal: AbortSignal;
}

const TELL_MS = 500;
/** Two minutes for the pass, and the start of the program. */
const LIMIT_MS = 150_000;
const NS_PER_MS = 1e6;

/** All exit codes of `anp watch --once`. An invalid configuration is no crash either. */
const ENDED = [0, 1, 2, 3, 4];

/** @returns why the process crashed; undefined if it ended normally, or by the signal */
export async function passAlone({ name, worksUntil, log, signal }: AloneOptions): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const [program = "", ...args] = againArguments();
  const child = spawn(program, args, {
    // V8 gives each process at most half of the container's memory: it crashes before the kernel kills all of them.
    env: { ...process.env, [ALONE_VARIABLE]: name },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const { promise: ended, resolve } = Promise.withResolvers<string | undefined>();
  const end = (): void => void child.kill("SIGKILL");
  let isLate = false;
  const tell = (): void => {
    // It may have ended in the meantime; its event follows.
    if (child.connected) child.send({ until: String(momentOf(worksUntil())) } satisfies FenceMessage, () => undefined);
  };
  const telling = setInterval(tell, TELL_MS);
  const limit = setTimeout(() => {
    isLate = true;
    end();
  }, LIMIT_MS);
  signal.addEventListener("abort", end);
  // If no process can be started, the cluster continues in this one.
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
  // An executable has its own path where a script's path would be.
  if (process.getBuiltinModule("node:sea").isSea()) return [process.execPath, ...rest.slice(1)];
  return [program, ...process.execArgv, ...rest];
}

/** Reads the shared clock first: a pause between the two shortens the time, and never extends it. */
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

/** Undefined if it is no line of the log, such as the stack trace of a crash. */
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

/**
 * Ends with the first message of the watch. The function that it returns is called right before each request.
 *
 * @throws ClusterError in a process that no watch started
 */
export async function parentFence(): Promise<() => boolean> {
  if (!process.connected)
    throw new ClusterError(
      `${ALONE_VARIABLE} is set by a watch for a process that it starts: take it out of the environment`,
    );
  let until = 0n;
  process.on("message", (message: FenceMessage) => {
    until = BigInt(message.until);
  });
  // The watch that started it has ended, and another replica may have taken over.
  process.on("disconnect", () => process.exit());
  await once(process, "message");
  return () => process.hrtime.bigint() < until;
}
