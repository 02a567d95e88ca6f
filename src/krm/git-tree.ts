/** The door to git: a path and the name of a commit in, the files of that commit out; git's own plumbing reads them, and no file is touched. */
import childProcess from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

export interface TreeEntry {
  readonly type: "file" | "folder" | "link" | "submodule";
  readonly id: string;
  /** In bytes; 0 but for files and links. */
  readonly size: number;
}

export interface GitTree {
  /** The real folder of the work tree. */
  readonly root: string;
  /** By path from the root; below `path` only, or all. */
  readonly list: (path?: string) => ReadonlyMap<string, TreeEntry>;
  /** By id. */
  readonly read: (ids: readonly string[]) => ReadonlyMap<string, Buffer>;
  /** A submodule as this commit has it; undefined where it was never fetched. */
  readonly submodule: (path: string, id: string) => GitTree | undefined;
}

interface Opened {
  readonly tree: GitTree;
  /** From the root of the tree; `""` is the root. */
  readonly path: string;
  /** The path on disk, absolute. */
  readonly place: string;
  /** Whether the commit has the path. */
  readonly present: boolean;
}

export interface GitProblem {
  readonly problem: "no-git" | "no-repository" | "no-commit";
  /** Git's own words, where it has some. */
  readonly message: string;
}

/** The commit that `ref` names in the repository of `path`, and where the path stands in it. */
export function openGitTree(path: string, ref: string): Opened | GitProblem {
  const real = realPath(resolve(path));
  const root = git(["rev-parse", "--show-toplevel"], nearestFolder(real));
  if (root.error === "ENOENT") return { problem: "no-git", message: "" };
  if (root.status !== 0) return { problem: "no-repository", message: firstLine(root.stderr) };
  const top = root.stdout.toString("utf8").replace(/\r?\n$/, "");
  const commit = commitOf(top, ref);
  if (commit === undefined) return { problem: "no-commit", message: "" };
  const tree = treeOf(top, commit);
  const inTree = withSlashes(relative(realpathSync(top), real));
  const present = inTree === "" || tree.list(inTree).size > 0;
  return { tree, path: inTree, place: withSlashes(resolve(path)), present };
}

/** Whether a path leads anywhere. */
export function standsOnDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function withSlashes(path: string): string {
  return path.split(sep).join("/");
}

function treeOf(root: string, commit: string): GitTree {
  return {
    root,
    list: (path = "") => listTree(root, commit, path),
    read: (ids) => readBlobs(root, ids),
    submodule: (path, id) => {
      const folder = join(root, path);
      // Without a repository of its own git would look into the one around it.
      const own = isFolder(folder) && git(["rev-parse", "--show-prefix"], folder).stdout.toString("utf8").trim() === "";
      return own && commitOf(folder, id) === id ? treeOf(folder, id) : undefined;
    },
  };
}

function commitOf(root: string, ref: string): string | undefined {
  // It would be an option.
  if (ref.startsWith("-") || ref === "") return undefined;
  const { status, stdout } = git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`], root);
  return status === 0 ? stdout.toString("utf8").trim() : undefined;
}

const TYPES: Readonly<Record<string, TreeEntry["type"]>> = {
  "040000": "folder",
  "120000": "link",
  "160000": "submodule",
};

function listTree(root: string, commit: string, path: string): Map<string, TreeEntry> {
  const where = path === "" ? [] : ["--", path];
  const output = must(git(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", commit, ...where], root));
  const entries = output
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "");
  return new Map(
    entries.map((line) => {
      const [, mode = "", id = "", size = "", name = ""] = /^(\d+) \w+ (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
      return [name, { type: TYPES[mode] ?? "file", id, size: Number(size) || 0 }];
    }),
  );
}

function readBlobs(root: string, ids: readonly string[]): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const output = must(git(["cat-file", "--batch"], root, `${[...new Set(ids)].join("\n")}\n`));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ");
    // What is missing, as in a clone without blobs, has no content.
    const length = type === "blob" ? Number(size) : -1;
    if (length >= 0) blobs.set(id, output.subarray(end + 1, end + 1 + length));
    at = end + 1 + length + 1;
  }
  return blobs;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly error: string | undefined;
}

/** Hooks run with variables that send git to their own repository, from wherever it is asked. */
const OF_HOOKS = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

function git(args: readonly string[], cwd: string, input = ""): Ended {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_HOOKS.includes(name)));
  const { status, stdout, stderr, error } = childProcess.spawnSync("git", ["--literal-pathspecs", ...args], {
    cwd,
    input,
    env: { ...env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" },
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  });
  return {
    status,
    stdout: stdout ?? Buffer.alloc(0),
    stderr: stderr ?? Buffer.alloc(0),
    error: error && codeOf(error),
  };
}

function codeOf({ code }: NodeJS.ErrnoException): string | undefined {
  return code;
}

/** What was asked for is there, as git has said before: else the repository is broken, which git says best. */
function must({ status, stdout, stderr }: Ended): Buffer {
  if (status !== 0) throw new Error(`git cannot read the repository: ${firstLine(stderr)}`);
  return stdout;
}

function firstLine(bytes: Buffer): string {
  return (bytes.toString("utf8").split("\n")[0] ?? "").replace(/^fatal: /, "");
}

/** The last part as it is written: a link is an entry of the tree like any other. */
function realPath(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  return join(nearestReal(folder), basename(path));
}

function nearestReal(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(nearestReal(dirname(folder)), basename(folder));
  }
}

/** A part of the path may be gone since. */
function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || isFolder(path) ? path : nearestFolder(parent);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
