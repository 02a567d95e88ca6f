/** The Go toolchain of the tests: arguments in, what `go` printed out; and the reason when there is no usable Go. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const NEEDED = [1, 26] as const;

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

export async function runGo(args: string[], cwd: string): Promise<GoAnswer> {
  const env = {
    ...process.env,
    // The same toolchain everywhere: a newer one that a module asks for would have to be downloaded.
    GOTOOLCHAIN: "local",
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

let answer: Promise<{ version: string } | { skipped: string }> | undefined;

/** What `go version` says, or why the suites that need Go must be skipped. */
export function goVersion(): Promise<{ version: string } | { skipped: string }> {
  answer ??= askGoVersion();
  return answer;
}

/** For describe.skipIf: why the suites named are skipped, which is printed as well; undefined when they can run. */
export async function goMissing(suites: string): Promise<string | undefined> {
  const go = await goVersion();
  if ("version" in go) return undefined;
  console.warn(`${suites} are skipped: ${go.skipped}`);
  return go.skipped;
}

async function askGoVersion(): Promise<{ version: string } | { skipped: string }> {
  try {
    const { stdout } = await runGo(["version"], homedir());
    const [, major, minor] = /go(\d+)\.(\d+)/.exec(stdout) ?? [];
    if (Number(major) > NEEDED[0] || (Number(major) === NEEDED[0] && Number(minor) >= NEEDED[1])) {
      return { version: stdout.trim() };
    }
    return { skipped: `Go ${NEEDED.join(".")} or newer is needed, found: ${stdout.trim()}` };
  } catch (error) {
    return { skipped: `Go ${NEEDED.join(".")} or newer is needed: ${(error as Error).message}` };
  }
}
