/** Runs one task at a time in a worker with a timeout; a worker that exceeds it is terminated and replaced. */
import { Worker } from "node:worker_threads";

/** Milliseconds of CPU time of this process: a quadratic task exceeds it on any machine, a linear one on none. */
const PATIENCE = 60_000;

export class PatientWorker {
  readonly #file: string;
  readonly #patience: number;
  #worker: Worker | undefined;

  constructor(file: string, patience = PATIENCE) {
    this.#file = file;
    this.#patience = patience;
  }

  /** Undefined if there was no response in time. Errors of the worker are thrown. */
  async ask<T = unknown>(question: unknown): Promise<T | undefined> {
    const worker = (this.#worker ??= new Worker(this.#file));
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const before = process.cpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.cpuUsage(before);
      if ((user + system) / 1000 > this.#patience) resolve(undefined);
    }, 200);
    worker.once("message", resolve);
    worker.once("error", reject);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a worker, which has no origin
    worker.postMessage(question);
    try {
      const answer = await promise;
      if (answer === undefined) await this.end();
      return answer;
    } finally {
      clearInterval(timer);
      worker.off("message", resolve);
      worker.off("error", reject);
    }
  }

  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
