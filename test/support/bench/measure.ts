/** Measures a command's time and memory, in turns with another command, so that both see the same machine speed. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

export interface Measured {
  /** Wall time in milliseconds. */
  readonly wall: number;
  /** The largest resident memory seen, in MiB; 0 without /proc. */
  readonly memory: number;
}

/** The medians of `runs` runs of each command, in alternation, after one round that does not count. */
export async function inTurn(
  commands: readonly Command[],
  runs: number,
  limitMs: number,
): Promise<(Measured | undefined)[]> {
  const results: Measured[][] = commands.map(() => []);
  const gaveUp = new Set<number>();
  for (let round = 0; round <= runs; round++) {
    for (const [index, command] of commands.entries()) {
      if (gaveUp.has(index)) continue;
      const result = await once(command, limitMs);
      if (result === undefined) gaveUp.add(index);
      else if (round > 0) results[index]?.push(result);
    }
  }
  return results.map((list, index) => (gaveUp.has(index) ? undefined : median(list)));
}

/** One run; undefined if it took longer than `limitMs` and was stopped. */
function once({ program, args, cwd }: Command, limitMs: number): Promise<Measured | undefined> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], ...(cwd === undefined ? {} : { cwd }) });
    let memory = 0;
    let stderr = "";
    let late = false;
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    // VmHWM is the kernel's own high-water mark: the last reading before the end is nearly the peak.
    const look = setInterval(() => (memory = Math.max(memory, residentPeak(child.pid))), 5);
    const limit = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, limitMs);
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(look);
      clearTimeout(limit);
      if (late) resolve(undefined);
      else if (code !== 0) reject(new Error(`${program} ${args.join(" ")} ended with ${code}\n${stderr.slice(-2000)}`));
      else resolve({ wall: performance.now() - start, memory });
    });
  });
}

function residentPeak(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function median(list: readonly Measured[]): Measured {
  const middle = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  return { wall: middle(list.map(({ wall }) => wall)), memory: Math.max(...list.map(({ memory }) => memory)) };
}
