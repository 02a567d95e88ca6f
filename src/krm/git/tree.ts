/** Reads the files of a named commit with git. */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { entryAt, findRepository, type GitRepository, keepsModule, repositoryAt } from "../read/git-repository.ts";
import { GitFailure, mustRun, runGit } from "./run.ts";

export interface TreeEntry {
  readonly type: "file" | "folder" | "link" | "submodule";
  readonly id: string;
}

export interface GitTree {
  /** The real folder of the work tree. */
  readonly root: string;
  /** Entries by path from the root, either all or only those below `path`. */
  readonly list: (path?: string) => ReadonlyMap<string, TreeEntry>;
  /** Sizes in bytes by id; objects that the clone lacks are left out. */
  readonly sizes: (ids: readonly string[]) => ReadonlyMap<string, number>;
  /** Bytes by id, for those with a size. */
  readonly read: (ids: readonly string[]) => ReadonlyMap<string, Buffer>;
  /** A submodule at this commit. */
  readonly submodule: (path: string, id: string) => GitTree | "not fetched" | "not kept here";
}

export interface Opened {
  readonly tree: GitTree;
  /** The path from the root of the tree; `""` is the root. */
  readonly path: string;
  /** The absolute path on disk. */
  readonly place: string;
}

export interface GitProblem {
  readonly problem: "no-git" | "no-repository" | "no-commit";
  /** More about the reason, if there is more. */
  readonly message: string;
}

/**
 * The commit that `ref` names in the repository of `path`, and the place of the path in it. Git's plumbing reads it,
 * and no file is changed.
 * @throws GitFailure
 */
export function openGitTree(path: string, ref: string): Opened | GitProblem {
  const { real, repository } = locate(resolve(path));
  if ("refusal" in repository) return { problem: "no-repository", message: repository.refusal };
  const commit = commitOf(repository, ref);
  if (commit === undefined) return whyNoCommit(repository);
  const tree = treeOf(repository, commit);
  const inTree = withSlashes(relative(repository.top, real));
  return { tree, path: inTree, place: withSlashes(resolve(path)) };
}

/** Whether `ref` names a commit in the repository of `path`: one question to git, where `openGitTree` says why not. */
export function isCommit(path: string, ref: string): boolean {
  const { repository } = locate(resolve(path));
  return !("refusal" in repository) && commitOf(repository, ref) !== undefined;
}

/** Whether a path has a target. */
export function standsOnDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A link is an entry of the repository that holds it; outside a repository it is only another name of its target. */
function locate(path: string): { real: string; repository: ReturnType<typeof findRepository> } {
  const folder = dirname(path);
  const real = folder === path ? path : join(nearestReal(folder), basename(path));
  const isLink = entryAt(real)?.isSymbolicLink() === true;
  const repository = findRepository(isLink ? dirname(real) : nearestFolder(real));
  if (!isLink || !("refusal" in repository)) return { real, repository };
  const target = nearestReal(real);
  return { real: target, repository: findRepository(nearestFolder(target)) };
}

/** Whether two paths have the same target; false if one of them has none. */
export function isSamePlace(a: string, b: string): boolean {
  return standsOnDisk(a) && standsOnDisk(b) && realpathSync(a) === realpathSync(b);
}

function withSlashes(path: string): string {
  return path.split(sep).join("/");
}

function treeOf(repository: GitRepository, commit: string): GitTree {
  return {
    root: repository.top,
    list: (path = "") => listTree(repository, commit, path),
    sizes: (ids) => sizesOf(repository, commit, ids),
    read: (ids) => readBlobs(repository, ids),
    submodule: (path, id) => {
      const module = repositoryAt(nearestReal(join(repository.top, path)));
      if (module === undefined || "refusal" in module) return "not fetched";
      if (!keepsModule(repository, module)) return "not kept here";
      return commitOf(module, id) === id ? treeOf(module, id) : "not fetched";
    },
  };
}

function commitOf(repository: GitRepository, ref: string): string | undefined {
  // A name that begins with a dash would be an option of git.
  if (ref.startsWith("-") || ref === "") return undefined;
  const { status, stdout } = runGit(repository, ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]);
  return status === 0 ? stdout.toString("utf8").trim() : undefined;
}

function whyNoCommit(repository: GitRepository): GitProblem {
  const { status, words, installed } = runGit(repository, ["rev-parse", "--git-dir"]);
  if (!installed) return { problem: "no-git", message: "" };
  return status === 0 ? { problem: "no-commit", message: "" } : { problem: "no-repository", message: words };
}

const TYPES: Readonly<Record<string, TreeEntry["type"]>> = {
  "040000": "folder",
  "120000": "link",
  "160000": "submodule",
};

function listTree(repository: GitRepository, commit: string, path: string): Map<string, TreeEntry> {
  const where = path === "" ? [] : ["--", path];
  const output = mustRun(repository, ["ls-tree", "-r", "-t", "-z", "--full-tree", commit, ...where]);
  const entries = output
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "");
  return new Map(
    entries.map((line) => {
      const [, mode = "", id = "", name = ""] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return [name, { type: TYPES[mode] ?? "file", id }];
    }),
  );
}

function sizesOf(repository: GitRepository, commit: string, ids: readonly string[]): Map<string, number> {
  if (ids.length === 0) return new Map();
  const ask = (wanted: readonly string[]) =>
    mustRun(repository, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], linesOf(wanted));
  const answer = () => {
    try {
      return ask(ids);
    } catch (error) {
      // Git ends at the first blob that a partial clone lacks.
      const lacking = lackingOf(repository, commit);
      if (!(error instanceof GitFailure) || lacking.size === 0) throw error;
      return ask(ids.filter((id) => !lacking.has(id)));
    }
  };
  const lines = answer().toString("utf8").split("\n");
  const sizes = lines.flatMap((line) => {
    const [, id, size] = /^(\w+) (\d+)$/.exec(line) ?? [];
    return id === undefined ? [] : [[id, Number(size)] as const];
  });
  return new Map(sizes);
}

/** The objects of a commit that a partial clone would have to fetch. */
function lackingOf(repository: GitRepository, commit: string): Set<string> {
  const args = ["rev-list", "--objects", "--no-walk", "--missing=print", "--no-object-names", commit];
  const lines = mustRun(repository, args).toString("utf8").split("\n");
  return new Set(lines.filter((line) => line.startsWith("?")).map((line) => line.slice(1)));
}

function readBlobs(repository: GitRepository, ids: readonly string[]): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const output = mustRun(repository, ["cat-file", "--batch"], linesOf(ids));
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [id = "", , size] = output.toString("latin1", at, end).split(" ");
    const length = Number(size);
    blobs.set(id, output.subarray(end + 1, end + 1 + length));
    at = end + 1 + length + 1;
  }
  return blobs;
}

function linesOf(ids: readonly string[]): string {
  return `${[...new Set(ids)].join("\n")}\n`;
}

function nearestReal(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return dirname(folder) === folder ? folder : join(nearestReal(dirname(folder)), basename(folder));
  }
}

/** A part of the path may have been removed. */
function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || isFolder(path) ? path : nearestFolder(parent);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
