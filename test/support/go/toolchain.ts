/** Runs the Go toolchain of the tests; if it is missing, the error says what to install. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const NEEDED = [1, 26] as const;

/** Set in the environment of tests that must not use it. */
const WITHOUT_GO = "ANP_TEST_WITHOUT_GO";

/** Programs built for the tests are kept here, outside the repository, so that every checkout shares them. */
export function cacheFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return process.env["ANP_TEST_CACHE"] || join(cache, "anp-test");
}

export interface GoAnswer {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** @param toolchain a released Go that is fetched as a module, for modules that need a newer one than is installed */
export async function runGo(args: string[], cwd: string, toolchain = "local"): Promise<GoAnswer> {
  const env = {
    ...process.env,
    GOTOOLCHAIN: toolchain,
    GOWORK: "off",
    // Without cgo no C compiler is needed.
    CGO_ENABLED: "0",
  };
  try {
    const { stdout, stderr } = await run("go", args, { cwd, env, maxBuffer: 2 ** 28 });
    return { exitCode: 0, stdout, stderr };
  } catch (error) {
    const failed = error as { code?: number | string; stdout?: string; stderr?: string };
    if (typeof failed.code !== "number") throw error;
    return { exitCode: failed.code, stdout: failed.stdout ?? "", stderr: failed.stderr ?? "" };
  }
}

let answer: Promise<string> | undefined;

/** The output of `go version`. @throws Error with what to install, and in the tier that needs only Node */
export function goVersion(): Promise<string> {
  answer ??= askGoVersion();
  return answer;
}

async function askGoVersion(): Promise<string> {
  if (process.env[WITHOUT_GO] !== undefined)
    throw new Error("npm test needs only Node: a suite that asks Go is one of npm run test:servers");
  const needed = `Go ${NEEDED.join(".")} or newer is needed, from https://go.dev/dl/ or your package manager`;
  const stdout = await runGo(["version"], homedir()).then(
    (ran) => ran.stdout,
    (error: unknown) => {
      throw new Error(`${needed}: ${(error as Error).message}`);
    },
  );
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(stdout) ?? [];
  if (Number(major) > NEEDED[0] || (Number(major) === NEEDED[0] && Number(minor) >= NEEDED[1])) return stdout.trim();
  throw new Error(`${needed}; found: ${stdout.trim()}`);
}
