/** The list of bundles, and the runs of node that make their code caches (scripts/code-cache.ts). */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const EXAMPLE = "fixtures/quickstart";

/**
 * The most common use of each command. These commands have a bundle of their own, because reading a bundle and its
 * cache takes time for all of its content; all other commands start from the whole one.
 */
export const RUNS: Readonly<Record<string, readonly string[]>> = {
  "--version": ["--version"],
  render: ["render", EXAMPLE],
  check: ["check", EXAMPLE],
  explain: ["explain", EXAMPLE],
  plan: ["plan", EXAMPLE, "--pods", "fixtures/cases/plan/spread-over-zones/pods.yaml"],
  cmp: ["cmp", "discover"],
};

/** For the whole bundle. */
const WHOLE = ["--help"];

/** @param command one only, or undefined for all */
export function bundleName(command: string | undefined): string {
  return command === undefined ? "anp.cjs" : `anp.${command}.cjs`;
}

/**
 * Each in a process of its own: V8 would put the functions of earlier runs into a cache.
 * @param node the program and its first arguments: another machine's node runs in an emulator
 */
export function writeCodeCache(
  [program = "", ...first]: readonly string[],
  { command, bundle, cache }: { command: string | undefined; bundle: string; cache: string },
): void {
  const args = command === undefined ? WHOLE : (RUNS[command] ?? []);
  const script = [...SAME_BYTES, "scripts/code-cache.ts", bundle, cache, ...args];
  execFileSync(program, [...first, ...script], { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
}

/**
 * A fixed order of hash tables, and enough memory to avoid garbage collection: otherwise each run gives a slightly
 * different cache.
 */
const SAME_BYTES = ["--random-seed=1", "--min-semi-space-size=64", "--max-semi-space-size=64"];
