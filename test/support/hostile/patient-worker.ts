/** A worker that is asked one thing at a time; one that does not answer in time is ended, and the next question goes to another. */
import { Worker } from "node:worker_threads";

/** Milliseconds of this process's work: a quadratic task takes more on any machine, a linear one not on the slowest or busiest. */
const PATIENCE = 60_000;

export class PatientWorker {
  readonly #file: string;
  readonly #patience: number;
  #worker: Worker | undefined;

  constructor(file: string, patience = PATIENCE) {
    this.#file = file;
    this.#patience = patience;
  }

  /** Undefined where there was no answer in time. What the worker throws is thrown. */
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
