/** Runs the built program as a user does: arguments, input and environment, exit code and both streams. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "../go/lock.ts";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
export const QUICKSTART = join(ROOT, "fixtures/quickstart");
export const BIN = join(ROOT, "bin/anp.js");
/** The node of the repository. */
export const NODE = join(ROOT, "node_modules/.bin/node");

/** Builds dist/ if it is missing or older than its sources. Other suites may do the same at the same time. */
export async function buildOnce(): Promise<void> {
  await withLock(join(tmpdir(), "anp-build.lock"), async () => {
    if (isFresh()) return;
    execFileSync(NODE, ["scripts/build.ts"], { cwd: ROOT, stdio: "pipe" });
  });
}

const DATA = "data/ec2-instance-types.csv";

function isFresh(): boolean {
  const built = join(ROOT, "dist/anp.cjs");
  if (!existsSync(built)) return false;
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const scripts = [
    "build",
    "build-catalogue",
    "build-library",
    "bundled-packages",
    "chunk-options",
    "code-cache",
    "code-caches",
  ];
  const others = [...scripts.map((name) => `scripts/${name}.ts`), "package.json", DATA];
  const newest = [...sources, ...others.map((file) => join(ROOT, file))].map((file) => statSync(file).mtimeMs);
  return statSync(built).mtimeMs > Math.max(...newest);
}

export interface Ended {
  /** Null for a program that a signal has ended. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  /** Piped in; without it the standard input is /dev/null. */
  readonly input?: string;
  /** In addition to the tests' own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface OfProcess extends Surroundings {
  /** Another path to the program. */
  readonly bin?: string;
  readonly uid?: number;
}

export function anp(args: readonly string[], { cwd, input, env, bin = BIN, uid }: OfProcess = {}): Ended {
  const { status, stdout, stderr, error } = spawnSync(NODE, [bin, ...args], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
    timeout: 240_000,
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === undefined ? { stdio: ["ignore", "pipe", "pipe"] } : { input }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (error !== undefined) throw error;
  return { exit: status, stdout, stderr };
}

/** A shell command with `anp`, and node as `$NODE`. */
export function shell(line: string, cwd: string): Ended {
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["-c", `NODE="${NODE}"\nanp() { "$NODE" "${BIN}" "$@"; }\n${line}`],
    {
      encoding: "utf8",
      cwd,
      timeout: 240_000,
    },
  );
  return { exit: status, stdout, stderr };
}

/** A user without root's permissions: an unprivileged one if root runs the tests; otherwise the current user. */
export function ordinaryUser(): number | undefined {
  return process.getuid?.() === 0 ? 65_534 : undefined;
}
