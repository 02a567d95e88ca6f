/** Runs anp as a process, with access to its log. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BIN } from "../process/built.ts";

export interface AnpProcess {
  readonly pid: number;
  /** The standard error so far. */
  readonly log: () => string;
  /** Waits until the log matches, and returns the first match. */
  readonly said: (pattern: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  /** Requests a page of its probes and metrics, and waits until it serves them. */
  readonly ask: (path: string, method?: string) => Promise<Response>;
  readonly send: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const MAIN = fileURLToPath(new URL("../../../src/main.ts", import.meta.url));
const PROGRAM = `import(${JSON.stringify(MAIN)}).then(({ main }) => main(process.argv.slice(1))).then((code) => process.exit(code))`;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** From the sources, or as built for users. */
export type Program = "sources" | "built";

const STARTS: Readonly<Record<Program, readonly string[]>> = {
  sources: ["--expose-gc", "-e", PROGRAM, "--"],
  built: [BIN],
};

/** @param env in addition to the environment of the test */
export function startAnp(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: Program = "sources",
): AnpProcess {
  const child = spawn(process.execPath, [...STARTS[program], ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  // Not at `exit`, when a part of its log may still be in the pipe.
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  const said: AnpProcess["said"] = async (pattern, withinMs = 120_000) => {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const match = pattern.exec(log);
      if (match !== null) return match;
      if (!running.has(child)) throw new Error(`ended without having said ${pattern}\n${log}`);
      if (performance.now() > deadline) throw new Error(`not within ${withinMs / 1000} s: ${pattern}\n${log}`);
      await sleep(20);
    }
  };
  return {
    pid: child.pid ?? 0,
    log: () => log,
    said,
    ask: async (path, method = "GET") => {
      const [, address = ""] = await said(/msg=listening address=(\S+)/);
      return fetch(`http://${address}${path}`, { method });
    },
    send: (signal) => void child.kill(signal),
    ended,
  };
}
