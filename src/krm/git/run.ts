/** Runs git on one given repository, without hooks, other programs and other machines. */
import childProcess from "node:child_process";
import type { GitRepository } from "../git-repository.ts";

export interface Ended {
  readonly status: number | null;
  readonly stdout: Buffer;
  /** The first line of what git says. */
  readonly words: string;
  /** Whether there is a git to run. */
  readonly installed: boolean;
}

/** Git cannot give what the repository should have. */
export class GitFailure extends Error {
  readonly hint = FETCH_ALL;
}

/** For a partial clone: it brings what was left out; needs git 2.36. */
export const FETCH_ALL = "a partial clone lacks it: git fetch --refetch --no-filter origin";

const OPTIONS = [
  "--literal-pathspecs",
  "--no-pager",
  // Refs in refs/replace let a commit show other files than its own.
  "--no-replace-objects",
];

const CONFIG = [
  // A git that knows this takes no folder for a repository that nobody named.
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
].flatMap((setting) => ["-c", setting]);

const ENVIRONMENT = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // What a partial clone lacks would be fetched, by the commands that its configuration names.
  GIT_NO_LAZY_FETCH: "1",
  // The same for a git that does not know the variable: it stands above each protocol.NAME.allow, and names none.
  GIT_ALLOW_PROTOCOL: ":",
};

/** Where the user keeps git and what it is told everywhere. All else of git's is about another repository, as in a hook. */
const KEPT = new Set(["GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

/** Git looks for no repository, starts no other program and asks no other machine. */
export function runGit({ top, gitDir }: GitRepository, args: readonly string[], input = ""): Ended {
  const others = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name) || KEPT.has(name));
  const given = ["--git-dir", gitDir, "--work-tree", top, ...OPTIONS, ...CONFIG, ...args];
  const { status, stdout, stderr, error } = childProcess.spawnSync("git", given, {
    // Not among the files: a system that looks there for programs first would find one named git.
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
