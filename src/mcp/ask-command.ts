/** Runs a command of this program in a process that can read the folder and nothing else. */
import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { findRepository, isWithin, realOf } from "../krm/read/git-repository.ts";

/** What the operator has allowed at the start. */
export interface Allowed {
  readonly live: boolean;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** The kubeconfig may run programs and read files, as for kubectl. */
  readonly allowExec: boolean;
  /** kustomize and helm may build: the folder that gets their copies of files (src/krm/builds/run.ts). */
  readonly builds: string | undefined;
}

export interface Asked {
  readonly command: string;
  readonly words: readonly string[];
  readonly usesGit: boolean;
  readonly live: boolean;
}

export interface Ended {
  readonly exit: number;
  readonly output: string;
  readonly errors: string;
}

/** The hidden command that answers for `anp mcp` (src/commands/mcp.ts). */
const ANSWER_COMMAND = "__answer";

const LIMIT_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MEMORY_MB = 2048;

/**
 * @param root the real folder
 * @param signal ends the process
 * @returns or why there is no answer
 */
export async function askCommand(
  root: string,
  { command, words, ...asked }: Asked,
  allowed: Allowed,
  signal: AbortSignal,
): Promise<Ended | string> {
  const script = realpathSync(process.argv[1] ?? "");
  const readable = readablePaths(root, asked, allowed);
  const alike = readable.find((path) => path.startsWith(root) && !isWithin(path, root));
  // Node then refuses the folder itself, in 22.19 and 26.10.
  if (alike !== undefined) return `node's permissions cannot tell ${root} from ${alike}: move one of them`;
  const limits = [...permissions(readable, asked, allowed), `--max-old-space-size=${MOST_MEMORY_MB}`, "--no-warnings"];
  const args = [...limits, script, ANSWER_COMMAND, command, ...words];
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...env,
      NO_COLOR: "1",
      ...(allowed.builds === undefined ? {} : { TMPDIR: allowed.builds, TEMP: allowed.builds }),
    },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own group, so that the programs that it runs end with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let problem: string | undefined;
  const end = (why: string): void => {
    problem ??= why;
    kill(child.pid);
  };
  const limit = setTimeout(
    () => end(`the answer takes longer than ${LIMIT_MS / 1000} s: ask about fewer files`),
    LIMIT_MS,
  );
  const aborted = (): void => end("the request was cancelled");
  signal.addEventListener("abort", aborted);
  if (signal.aborted) aborted();
  const texts = { output: [] as Buffer[], errors: [] as Buffer[] };
  let bytes = 0;
  const keep = (list: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) end("the answer is larger than anp mcp reads: ask about fewer files");
    else list.push(chunk);
  };
  child.stdout.on("data", keep(texts.output));
  child.stderr.on("data", keep(texts.errors));
  const { promise, resolve: done } = Promise.withResolvers<number>();
  child.on("error", (error) => {
    problem ??= `the program cannot be started: ${error.message}`;
    done(-1);
  });
  child.on("close", (code, by) => {
    if (by !== null) problem ??= `the answer was ended by ${by}, perhaps for lack of memory`;
    done(code ?? -1);
  });
  const exit = await promise;
  clearTimeout(limit);
  signal.removeEventListener("abort", aborted);
  if (problem !== undefined) return problem;
  return { exit, output: Buffer.concat(texts.output).toString(), errors: Buffer.concat(texts.errors).toString() };
}

/**
 * Options of node's permission model (docs/decisions/0027-questions-of-agents-in-confined-processes.md): without `--allow-fs-write` no file is
 * written, and without `--allow-child-process` no program runs. Node follows links: src/krm/read/link-boundary.ts and
 * `confinedContext` refuse those that lead out.
 */
function permissions(
  readable: readonly string[],
  { usesGit, live }: Pick<Asked, "usesGit" | "live">,
  { allowExec, builds }: Allowed,
): string[] {
  const runs = usesGit || builds !== undefined || (live && allowExec);
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...(builds === undefined ? [] : [`--allow-fs-write=${builds}`]),
    ...(runs ? ["--allow-child-process"] : []),
    ...(live && process.allowedNodeEnvironmentFlags.has("--allow-net") ? ["--allow-net"] : []),
  ];
}

function readablePaths(
  root: string,
  { usesGit, live }: Pick<Asked, "usesGit" | "live">,
  { kubeconfig, allowExec, builds }: Allowed,
): string[] {
  return [
    root,
    ...ownFiles(),
    // The standard input.
    "/dev/null",
    ...(usesGit ? gitFolders(root) : []),
    ...(builds === undefined ? [] : [builds, ...programs()]),
    ...(live ? kubeconfigs(kubeconfig) : []),
    ...(live && allowExec ? ["*"] : []),
  ];
}

/** The folders of this package that the program reads. */
function ownFiles(): string[] {
  const script = realOf(process.argv[1] ?? "");
  if (script === undefined) return [];
  const top = dirname(dirname(script));
  return [join(top, "bin"), join(top, "dist")];
}

/**
 * Why no side of a question can be a commit; undefined if it can. A commit has the whole repository, and its links lead
 * anywhere in it, so the folder has to be the whole repository.
 */
export function refusalOfCommits(root: string): string | undefined {
  const found = findRepository(root);
  if ("refusal" in found)
    return `the folder is in no git repository (${found.refusal}): give a folder or a file as the old side`;
  if (found.top === root) return undefined;
  const below = relative(found.top, root);
  return `the folder is ${below} of a git repository, and its commits hold files outside of the folder: to compare with commits, a person has to start anp mcp in ${found.top}, where paths begin with ${below}/; or give a folder or a file as the old side`;
}

/** A linked work tree keeps its repository elsewhere. None for a folder inside a repository. */
function gitFolders(root: string): string[] {
  const found = findRepository(root);
  if ("refusal" in found || found.top !== root) return [];
  const common = readLine(join(found.gitDir, "commondir"));
  return [found.gitDir, ...(common === undefined ? [] : [resolve(found.gitDir, common)])];
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The programs that build, wherever they are on the PATH, and the shell that limits their memory. */
function programs(): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return [
    "/bin/sh",
    ...folders.flatMap((folder) => ["kustomize", "kubectl", "helm"].map((name) => join(folder, name))),
  ];
}

function kubeconfigs(given: string | undefined): string[] {
  const ofUser = (process.env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  const usual = [join(process.env["HOME"] ?? homedir(), ".kube", "config")];
  const files = given === undefined ? (ofUser.length > 0 ? ofUser : usual) : [given];
  return [...files.map((file) => resolve(file)), "/var/run/secrets/kubernetes.io/serviceaccount"];
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
