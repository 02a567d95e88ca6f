/** Finds the git repository of a folder: the nearest `.git` upwards. */
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

export interface GitRepository {
  /** The real folder that holds `.git`. */
  readonly top: string;
  /** The real folder that `.git` is, or leads to. */
  readonly gitDir: string;
}

/** A `.git` that is not a repository, with a message in git's words. */
export interface NoRepository {
  readonly refusal: string;
}

/**
 * Searches without git, which would also obey files that only look like a repository.
 * @param folder a real one
 */
export function findRepository(folder: string): GitRepository | NoRepository {
  for (let top = folder; ; top = dirname(top)) {
    const found = repositoryAt(top);
    if (found !== undefined) return found;
    if (dirname(top) === top) return { refusal: "there is no .git in it or above it" };
  }
}

/** The repository with its `.git` in this folder; undefined if there is none. */
export function repositoryAt(top: string): GitRepository | NoRepository | undefined {
  const path = join(top, ".git");
  const entry = entryAt(path);
  if (entry === undefined) return undefined;
  const gitDir = realOf(entry.isFile() ? namedIn(path, entry) : path);
  if (gitDir === undefined || !isGitDir(gitDir)) return { refusal: `${path} leads to no git repository` };
  // Git itself never commits a `.git`, but an archive may hold one that points to a repository inside the archive.
  const refused = !entry.isDirectory() && isAmongFiles(gitDir);
  return refused
    ? { refusal: `${path} leads to ${gitDir}, which is among the files of another repository` }
    : { top, gitDir };
}

/** Git keeps the repositories of submodules here: they come from a fetch, never from a file of a commit. */
export function keepsModule({ gitDir }: GitRepository, module: GitRepository): boolean {
  const common = realOf(join(gitDir, readLine(join(gitDir, "commondir")) ?? "."));
  return [gitDir, common].some((folder) => folder !== undefined && isWithin(module.gitDir, join(folder, "modules")));
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The target of `gitdir: PATH`, the form of linked work trees and of submodules. */
function namedIn(path: string, { size }: Stats): string {
  const line = size > MAX_LINE ? undefined : readLine(path);
  return resolve(dirname(path), line?.startsWith(GITDIR) ? line.slice(GITDIR.length) : "");
}

const GITDIR = "gitdir: ";
const MAX_LINE = 8192;

/** The same test as git's own: `is_git_directory` in its `setup.c`. */
function isGitDir(folder: string): boolean {
  if (entryAt(join(folder, "HEAD")) === undefined) return false;
  return ["commondir", "objects"].some((name) => statSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
}

/** Whether it is below a folder with a `.git`, and not inside that `.git`. */
function isAmongFiles(gitDir: string): boolean {
  for (let at = gitDir; dirname(at) !== at; at = dirname(at)) {
    const around = join(dirname(at), ".git");
    const entry = entryAt(around);
    if (entry !== undefined) return !entry.isDirectory() || !isWithin(gitDir, around);
  }
  return false;
}

function readLine(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    let end = text.length;
    while (end > 0 && "\r\n".includes(text[end - 1]!)) end--;
    return text.slice(0, end);
  } catch {
    return undefined;
  }
}

export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // The folder may not be searched.
    return undefined;
  }
}

/** Undefined if it does not exist. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
