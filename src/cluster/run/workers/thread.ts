/** One worker as the main thread sees it: from its start until it has ended, with the reason. */
import type { Worker } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerTask } from "./messages.ts";
import { newVitals, type Vitals, vitalsOf } from "./vitals.ts";

export interface Thread {
  readonly vitals: Vitals;
  readonly tell: (message: ToWorker) => void;
  /** Ends when nothing of it runs any more: with why, in a few words. */
  readonly ended: Promise<string>;
  readonly end: (why: string) => void;
}

export interface ThreadOptions {
  readonly task: Omit<WorkerTask, "vitals">;
  readonly start: (task: WorkerTask) => Worker;
  readonly heard: (message: FromWorker) => void;
  /** For how many seconds its loop may stand still. */
  readonly blockedSeconds: number;
}

/** Longer than any piece of work takes that a cluster can ask for, many times over. */
export const BLOCKED_SECONDS = 30;
/** To load takes a part of a second, on a machine that has time for it. */
const STARTING_SECONDS = 300;

/** Whoever stands in a call of the system ends only after it: it sends nothing more by then. */
const UNENDING_MS = 5000;

export function newThread({ task, start, heard, blockedSeconds }: ThreadOptions): Thread {
  const buffer = newVitals();
  const vitals = vitalsOf(buffer);
  const worker = start({ ...task, vitals: buffer });
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  let why: string | undefined;
  let beats = vitals.beats();
  let still = 0;

  const end = (reason: string): void => {
    if (why !== undefined) return;
    why = reason;
    vitals.end();
    void worker.terminate();
    setTimeout(() => finish(reason), UNENDING_MS).unref();
  };
  const finish = (reason: string): void => {
    clearInterval(watching);
    resolve(reason);
  };
  // By seconds that the main thread has lived as well: who was stopped together with it has not been blocked.
  const watching = setInterval(() => {
    still = vitals.beats() === beats ? still + 1 : 0;
    beats = vitals.beats();
    const most = beats === 0 ? STARTING_SECONDS : blockedSeconds;
    if (still >= most) end(`its loop stood still for ${most} seconds`);
  }, 1000);
  worker.on("message", heard);
  worker.on("messageerror", (error: Error) => end(String(error)));
  worker.on("error", (error: NodeJS.ErrnoException) => {
    why ??= wordsOf(error, task.memoryMiB);
    vitals.end();
  });
  worker.on("exit", (code) => finish(why ?? `it ended with ${code}`));
  return { vitals, tell: (message) => worker.postMessage(message), ended, end };
}

function wordsOf({ code, stack, message }: NodeJS.ErrnoException, memoryMiB: number): string {
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return `it needed more than ${memoryMiB} MiB of memory`;
  return stack ?? message;
}
