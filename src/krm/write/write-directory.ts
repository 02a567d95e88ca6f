/** Writes rendered files to a directory, and removes those without a wrapper. */
import { type Dirent, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Finding, findingInFile } from "../findings/finding.ts";
import { linkBelow, linkOutOn } from "../read/link-boundary.ts";
import { LEADS_OUT, writeFiles } from "./write-files.ts";

export interface WriteRequest {
  readonly directory: string;
  /** The directory that the user named, if this is a folder below it: no link may lead from one to the other. */
  readonly root?: string;
  /** File name to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether a file's text is one object that anp made: only such files are ever removed or replaced. */
  readonly isOurs: (text: string) => boolean;
  /** Writes even if the directory has files that anp did not make; they stay. */
  readonly force: boolean;
  /** Whether files of objects that are no longer rendered may be removed. */
  readonly prune: boolean;
  /** The extension of all files that anp writes there; `.yaml` when left out. */
  readonly ending?: ".json";
}

/** What writing a directory would do; made before anything is changed. */
export interface DirectoryPlan {
  readonly directory: string;
  readonly write: ReadonlyMap<string, string>;
  readonly unchanged: readonly string[];
  readonly remove: readonly string[];
}

/** The plan, or the findings that forbid writing at all. */
export function planDirectory(request: WriteRequest): { plan: DirectoryPlan; findings: readonly Finding[] } {
  const { directory, files, force, prune, ending = ".yaml" } = request;
  const nothing: DirectoryPlan = { directory, write: new Map(), unchanged: [], remove: [] };
  const link = request.root === undefined ? undefined : linkBelow(request.root, directory);
  if (link !== undefined) return { plan: nothing, findings: [unwritable(link, "it is a link, and may lead anywhere")] };
  if (linkOutOn(directory) !== undefined) return { plan: nothing, findings: [unwritable(directory, LEADS_OUT)] };
  const outcome = attempt(directory, () => presentFiles(directory, ending));
  if (outcome.value === undefined) return { plan: nothing, findings: outcome.findings };
  const { present, folders } = outcome.value;
  // Files that are equal to the byte need no check.
  const isOurs = (name: string, text: string) => text === files.get(name) || request.isOurs(text);
  const ours = new Set(
    [...present].filter(([name, text]) => text !== undefined && isOurs(name, text)).map(([name]) => name),
  );
  const foreign = [...present.keys()].filter((name) => !ours.has(name));
  if (foreign.length > 0 && !force)
    return { plan: nothing, findings: foreign.map((name) => notOurs(join(directory, name))) };
  const inTheWay = [...foreign, ...folders].filter((name) => files.has(name));
  if (inTheWay.length > 0)
    return { plan: nothing, findings: inTheWay.map((name) => notReplaced(join(directory, name))) };
  const remove = [...ours].filter((name) => !files.has(name));
  if (remove.length > 0 && !prune) return { plan: nothing, findings: [kept(directory, remove)] };
  const unchanged = [...files.keys()].filter((name) => present.get(name) === files.get(name));
  const write = new Map([...files].filter(([name, text]) => present.get(name) !== text));
  return { plan: { directory, write, unchanged, remove }, findings: [] };
}

export function writeDirectory(plan: DirectoryPlan): readonly Finding[] {
  return writeDirectories([plan]);
}

/** Writes all files or none. It writes before it removes, so that a failure leaves too much rather than too little. */
export function writeDirectories(plans: readonly DirectoryPlan[]): readonly Finding[] {
  const files = plans.flatMap(({ directory, write }) =>
    [...write].map(([name, text]) => [join(directory, name), text] as const),
  );
  const made: string[] = [];
  const written = attempt(plans[0]?.directory ?? "", () => {
    for (const { directory, write } of plans) if (write.size > 0) makeDirectory(directory, made);
    writeFiles(new Map(files));
    return true;
  });
  if (written.value === undefined) {
    for (const directory of made.toReversed()) removeEmpty(directory);
    return written.findings;
  }
  const stale = plans.flatMap(({ directory, remove }) => remove.map((name) => join(directory, name)));
  return attempt(plans[0]?.directory ?? "", () => {
    for (const path of stale) rmSync(path, { force: true });
    return true;
  }).findings;
}

/** Node's own recursion does not end at a link without a target. */
function makeDirectory(directory: string, made: string[]): void {
  try {
    mkdirSync(directory);
    made.push(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(directory) !== directory) {
      makeDirectory(dirname(directory), made);
      mkdirSync(directory);
      made.push(directory);
    } else if (code !== "EEXIST" || !statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Another process has begun to use it.
  }
}

function attempt<T>(directory: string, act: () => T): { value: T | undefined; findings: readonly Finding[] } {
  try {
    return { value: act(), findings: [] };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { value: undefined, findings: [unwritable(path ?? directory, code)] };
  }
}

/**
 * The folders of a directory: with several hosted clusters, one for each. An unreadable one is reported by its plan.
 */
export function foldersIn(directory: string): string[] {
  const entries = attempt(directory, () => entriesOf(directory)).value ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .toSorted();
}

/** Everything but hidden entries: files with the text of those that may be ours, and the names of folders. */
function presentFiles(
  directory: string,
  ending: string,
): { present: Map<string, string | undefined>; folders: string[] } {
  const present = new Map<string, string | undefined>();
  const folders: string[] = [];
  for (const entry of entriesOf(directory).filter(({ name }) => !name.startsWith("."))) {
    const { name } = entry;
    // Links and pipes are never ours: anp writes neither.
    const readable = entry.isFile() && name.endsWith(ending);
    if (entry.isDirectory()) folders.push(name);
    else present.set(name, readable ? readFileSync(join(directory, name), "utf8") : undefined);
  }
  return { present, folders };
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function notOurs(file: string): Finding {
  const message = "is in the output directory and was not made by anp";
  return findingInFile("output-foreign", file, {
    message,
    hint: "write to a directory of its own, or use --force to leave it there",
  });
}

/** Even --force replaces only files that anp made. */
function notReplaced(file: string): Finding {
  const message = "has the name of a file that anp would write, and was not made by anp";
  return findingInFile("output-foreign", file, { message, hint: "move or remove it, or write to another directory" });
}

function kept(directory: string, stale: readonly string[]): Finding {
  const names = stale.slice(0, 5).join(", ") + (stale.length > 5 ? ` and ${stale.length - 5} more` : "");
  const message = `holds ${names}, which the input no longer has; nothing was written or removed`;
  return findingInFile("output-kept", directory, { message, hint: "check the paths; --allow-empty removes them" });
}

/** @param code an error code of node:fs */
export function unwritable(path: string, code: string): Finding {
  const words: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "no space is left",
    ENOTDIR: "it is not a directory",
    EEXIST: "it is not a directory",
    EISDIR: "it is a directory",
    ENAMETOOLONG: "the name is too long",
  };
  return findingInFile("output-unwritable", path, { message: `cannot be written: ${words[code] ?? code}` });
}
