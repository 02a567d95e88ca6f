/** The writing door: rendered files into a directory, atomically; earlier output that has lost its wrapper goes. */
import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Finding, findingInFile } from "./finding.ts";

export interface WriteRequest {
  readonly directory: string;
  /** File name to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Whether a file's text is one object that anp made: only such files are ever removed or replaced. */
  readonly isOurs: (text: string) => boolean;
  /** Writes although files that are not anp's stand in the directory; they stay. */
  readonly force: boolean;
  /** Whether files whose object is no longer rendered may be removed. */
  readonly prune: boolean;
}

/** What writing a directory would do; made before anything is changed. */
export interface DirectoryPlan {
  readonly directory: string;
  readonly write: ReadonlyMap<string, string>;
  readonly unchanged: readonly string[];
  readonly remove: readonly string[];
}

/** The plan, or the findings that speak against writing at all. */
export function planDirectory(request: WriteRequest): { plan: DirectoryPlan; findings: readonly Finding[] } {
  const { directory, files, force, prune } = request;
  const nothing: DirectoryPlan = { directory, write: new Map(), unchanged: [], remove: [] };
  const outcome = attempt(directory, () => presentFiles(directory));
  if (outcome.value === undefined) return { plan: nothing, findings: outcome.findings };
  const { present, folders } = outcome.value;
  // What is the same to the byte needs no reading.
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

/** Writes before it removes, so that a failure leaves too much rather than too little. */
export function writeDirectory({ directory, write, remove }: DirectoryPlan): readonly Finding[] {
  const { findings } = attempt(directory, () => {
    if (write.size > 0) makeDirectory(directory);
    for (const [name, text] of write) writeFileAtomically(join(directory, name), text);
    for (const name of remove) rmSync(join(directory, name), { force: true });
    return true;
  });
  return findings;
}

/** Node's own recursion does not end at a link that leads to nothing. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(directory) !== directory) {
      makeDirectory(dirname(directory));
      mkdirSync(directory);
    } else if (code !== "EEXIST" || !statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
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

/** A reader sees the old file or the new one, never half of it. */
export function writeFileAtomically(path: string, text: string): void {
  // Hidden, so that one left behind by a killed process is nobody's manifest and does not stop the next run.
  const temporary = join(dirname(path), `.${basename(path)}.anp-${process.pid}.tmp`);
  try {
    rmSync(temporary, { force: true });
    // Whoever may write there must not lead this to another file through a link.
    writeFileSync(temporary, text, { flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    discard(temporary);
    throw Object.assign(error as Error, { path });
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What went wrong before is what the user has to know.
  }
}

/** The folders of a directory: with several hosted clusters, one for each. What cannot be read, its plan tells. */
export function foldersIn(directory: string): string[] {
  const entries = attempt(directory, () => entriesOf(directory)).value ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .toSorted();
}

/** Everything but hidden entries: files with the text of those that may hold a manifest, and the names of folders. */
function presentFiles(directory: string): { present: Map<string, string | undefined>; folders: string[] } {
  const present = new Map<string, string | undefined>();
  const folders: string[] = [];
  for (const entry of entriesOf(directory).filter(({ name }) => !name.startsWith("."))) {
    const { name } = entry;
    // Links and pipes are never ours: anp writes neither.
    const readable = entry.isFile() && name.endsWith(".yaml");
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
  const message = "stands in the output directory and was not made by anp";
  return findingInFile("output-foreign", file, {
    message,
    hint: "write to a directory of its own, or use --force to leave it there",
  });
}

/** Even --force replaces only what anp made. */
function notReplaced(file: string): Finding {
  const message = "stands where anp would write, and was not made by anp";
  return findingInFile("output-foreign", file, { message, hint: "move or remove it, or write to another directory" });
}

function kept(directory: string, stale: readonly string[]): Finding {
  const names = stale.slice(0, 5).join(", ") + (stale.length > 5 ? ` and ${stale.length - 5} more` : "");
  const message = `holds ${names}, which the input no longer speaks of; nothing was written or removed`;
  return findingInFile("output-kept", directory, { message, hint: "check the paths; --allow-empty removes them" });
}

function unwritable(path: string, code: string): Finding {
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
