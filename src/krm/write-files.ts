/** Writes files to the disk, all or none. */
import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { within } from "./file-name.ts";
import { linkOutOn } from "./reach.ts";

interface Staged {
  readonly path: string;
  readonly temporary: string;
  /** The other name of what stood there until all is done. */
  before?: string;
  placed?: true;
}

/**
 * A reader of a file sees the old one or the new one, never half of it. What fails, such as a full disk, fails while
 * everything still is as it was; what fails after that is taken back. Each file is whole beside its place before any
 * takes it, and no link is followed.
 */
export function writeFiles(files: ReadonlyMap<string, string>): void {
  const staged: Staged[] = [];
  try {
    for (const [path, text] of files) {
      refuseLinks(path);
      staged.push(stage(path, text));
    }
    // With one file, taking its place is all or nothing already.
    if (staged.length > 1) for (const file of staged) attempt(file.path, () => keep(file));
    for (const file of staged) attempt(file.path, () => place(file));
  } catch (error) {
    for (const file of staged.toReversed()) takeBack(file);
    throw error;
  }
  for (const { before = "lost" } of staged) if (before !== "lost") discard(before);
}

export function writeFileAtomically(path: string, text: string): void {
  writeFiles(new Map([[path, text]]));
}

/** A link at the path itself is replaced, as every other file is; one on the way may lead out of the repository. */
export function refuseLinks(path: string): void {
  if (linkOutOn(dirname(path)) !== undefined) throw Object.assign(new Error(LEADS_OUT), { code: LEADS_OUT, path });
}

/** In place of a code of the system's, which is told as it is where nobody has better words for it. */
export const LEADS_OUT = "a link on the way leads out of the git repository";

function stage(path: string, text: string): Staged {
  const file: Staged = { path, temporary: hidden(path, "tmp") };
  attempt(path, () => {
    discard(file.temporary);
    try {
      // Whoever may write there must not lead this to another file through a link.
      writeFileSync(file.temporary, text, { flag: "wx" });
    } catch (error) {
      discard(file.temporary);
      throw error;
    }
  });
  return file;
}

/** A second name costs no space, and renaming over the first leaves it. */
function keep(file: Staged): void {
  if (lstatSync(file.path, { throwIfNoEntry: false }) === undefined) return;
  const name = hidden(file.path, "old");
  discard(name);
  try {
    linkSync(file.path, name);
    file.before = name;
  } catch {
    // Not every file system has second names: then what is placed stays, and is whole.
    file.before = "lost";
  }
}

function place(file: Staged): void {
  renameSync(file.temporary, file.path);
  file.placed = true;
}

function takeBack({ path, temporary, before, placed }: Staged): void {
  discard(temporary);
  if (before === undefined) {
    if (placed) discard(path);
  } else if (before !== "lost") {
    if (placed) putBack(before, path);
    else discard(before);
  }
}

function putBack(kept: string, path: string): void {
  try {
    renameSync(kept, path);
  } catch {
    // The new file stays, which is whole.
  }
}

/** Hidden, so that one left behind by a killed process is nobody's manifest and does not stop the next run. */
function hidden(path: string, suffix: string): string {
  return join(dirname(path), `.${within(basename(path), LONGEST)}.anp-${process.pid}.${suffix}`);
}

const LONGEST = 200;

function attempt(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
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
