/** anp as a process of its own: arguments in, its log while it runs and how it ended out. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BIN } from "../process/built.ts";

export interface AnpProcess {
  readonly pid: number;
  /** Everything on the standard error so far. */
  readonly log: () => string;
  /** Until the log matches: the first match. */
  readonly said: (pattern: RegExp, withinMs?: number) => Promise<RegExpExecArray>;
  /** What it answers where it serves probes and metrics; waits until it does. */
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

/** From its sources, or as it was built for users. */
export type Program = "sources" | "built";

const STARTS: Readonly<Record<Program, readonly string[]>> = {
  sources: ["--expose-gc", "-e", PROGRAM, "--"],
  built: [BIN],
};

/** @param env beside that of the test */
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
  // Not at its exit, when some of its log may still be on the way.
  const ended = once(child, "close").then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  const said: AnpProcess["said"] = async (pattern, withinMs = 30_000) => {
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
