/** Starts a server process for a test, and stops it by its id. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "./programs.ts";

/** An API server with an open watch would take a minute to end, so kill it. */
const GRACE_MS = 3_000;
const LOG_TAIL = 4_000;

const running = new Set<ServerProcess>();
// A test process that ends without stopping its servers ends them. When it is killed and cannot run this,
// our own programs see their stdin close.
process.on("exit", () => {
  for (const server of running) server.kill();
});

export class ServerProcess {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #log: string;
  #failure: Error | undefined;

  constructor(
    name: string,
    [program, ...first]: Command,
    flags: string[],
    log: string,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.name = name;
    this.#log = log;
    const output = openSync(log, "a");
    this.#child = spawn(program, [...first, ...flags], {
      // Only this process holds the write end of stdin, so it closes when this process dies.
      stdio: ["pipe", output, output],
      env: { ...process.env, CONTROLPLANE_STOP_WITH_STDIN: "yes", ...environment },
    });
    closeSync(output);
    this.#child.on("error", (error) => (this.#failure = error));
    this.#child.on("exit", () => running.delete(this));
    running.add(this);
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw this.#failure ?? new Error(`${this.name} has no pid`);
    return this.#child.pid;
  }

  /** How it ended; undefined while it runs. */
  get ended(): string | undefined {
    if (this.#failure !== undefined) return this.#failure.message;
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) return undefined;
    return signalCode ?? `exit code ${exitCode}`;
  }

  get logTail(): string {
    return readFileSync(this.#log, "utf8").slice(-LOG_TAIL);
  }

  kill(): void {
    if (this.ended === undefined) this.#child.kill("SIGKILL");
  }

  /** Sends it SIGTERM and waits until it has ended. */
  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const timer = new AbortController();
    const patience = sleep(GRACE_MS, undefined, { signal: timer.signal }).then(
      () => this.kill(),
      () => {},
    );
    await gone;
    timer.abort();
    await patience;
  }
}
