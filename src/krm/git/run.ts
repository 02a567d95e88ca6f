/** Runs git on one given repository, without hooks, other programs or network access. */
import childProcess from "node:child_process";
import type { GitRepository } from "../read/git-repository.ts";

export interface Ended {
  readonly status: number | null;
  readonly stdout: Buffer;
  /** The first line of git's error. */
  readonly words: string;
  /** Whether git is installed. */
  readonly installed: boolean;
}

/** Git cannot give an object that the repository should have. */
export class GitFailure extends Error {
  readonly hint = FETCH_ALL;
}

/** The hint for a partial clone: this fetches what was left out; needs git 2.36. */
export const FETCH_ALL = "a partial clone lacks it: git fetch --refetch --no-filter origin";

const OPTIONS = [
  "--literal-pathspecs",
  "--no-pager",
  // Refs in refs/replace would let a commit show other files than its own.
  "--no-replace-objects",
];

const CONFIG = [
  // Newer git then only opens a bare repository that is named explicitly.
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone would fetch missing objects, with commands that its configuration names.
  GIT_NO_LAZY_FETCH: "1",
  // The same for a git that does not know the variable: this setting overrides each protocol.NAME.allow, and allows
  // none.
  GIT_ALLOW_PROTOCOL: ":",
};

/**
 * The paths of git and of the user's global configuration. Other git variables name another repository, as in a hook.
 */
const KEPT = new Set(["GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

/** Git then searches for no repository, starts no other program and uses no network. */
export function runGit({ top, gitDir }: GitRepository, args: readonly string[], input = ""): Ended {
  const others = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || KEPT.has(name));
  const given = ["--git-dir", gitDir, "--work-tree", top, ...OPTIONS, ...CONFIG, ...args];
  const { status, stdout, stderr, error } = childProcess.spawnSync("git", given, {
    // Not the user's folder: a system that searches there for programs first would run a file named git.
    cwd: gitDir,
    input,
    env: { ...Object.fromEntries(others), ...ENVIRONMENT },
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  });
  const installed = !isMissing(error);
  return { status, stdout: stdout ?? Buffer.alloc(0), words: firstLine(stderr ?? Buffer.alloc(0)), installed };
}

function isMissing(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.code === "ENOENT";
}

/** @throws GitFailure */
export function mustRun(repository: GitRepository, args: readonly string[], input = ""): Buffer {
  const { status, stdout, words } = runGit(repository, args, input);
  if (status !== 0) throw new GitFailure(`git cannot read it: ${words}`);
  return stdout;
}

function firstLine(bytes: Buffer): string {
  const lines = bytes.toString("utf8").split("\n");
  const [line = ""] = [...lines.filter((one) => one.startsWith("fatal: ")), ...lines];
  return line.replace(/^fatal: /, "");
}
