/** The built `anp watch` as a process: a program and arguments in, its passes and its end out. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { fileURLToPath } from "node:url";
import { until } from "../controlplane/objects.ts";
import { NODE } from "../process/built.ts";

export interface BuiltWatch {
  readonly pid: number;
  /** The lines that end a pass, after such a time. */
  readonly passes: (after: number) => readonly Record<string, unknown>[];
  readonly until: (what: string, isTrue: () => boolean | Promise<boolean>, withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const RECORD = pathToFileURL(fileURLToPath(new URL("record-requests.ts", import.meta.url))).href;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** @param record a file that each request is written to */
export function startBuiltWatch(bin: string, args: readonly string[], record?: string): BuiltWatch {
  const recording = record === undefined ? [] : ["--import", RECORD];
  const child = spawn(NODE, [...recording, bin, "watch", "--log-format", "json", ...args], {
    env: { ...process.env, ...(record === undefined ? {} : { ANP_RECORD: record }) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const ended = once(child, "close").then(() => running.delete(child));
  const lines = () =>
    log
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    pid: child.pid!,
    passes: (after) =>
      lines().filter(({ msg, time, ms }) => msg === "reconciled" && Date.parse(String(time)) - Number(ms) >= after),
    until: async (what, isTrue, withinMs) => {
      const stillRuns = async (): Promise<boolean> => {
        if (!running.has(child)) throw new Error(`anp watch ended\n${log.slice(-2000)}`);
        return isTrue();
      };
      await until(what, stillRuns, withinMs).catch((error: unknown) => {
        (error as Error).message += `\n${log.slice(-2000)}`;
        throw error;
      });
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
