/** Writes several files to disk, all or none. */
import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { within } from "./file-name.ts";
import { linkOutOn } from "../read/link-boundary.ts";

interface Staged {
  readonly path: string;
  readonly temporary: string;
  /** A second name of the old file, kept until all files are written. */
  before?: string;
  placed?: true;
}

/**
 * A reader of a file sees the old one or the new one, never half of it. Most failures, such as a full disk, happen
 * before anything has changed; later ones are rolled back. Each file is written completely under a temporary name
 * first, and no link is followed.
 */
export function writeFiles(files: ReadonlyMap<string, string>): void {
  const staged: Staged[] = [];
  try {
    for (const [path, text] of files) {
      refuseLinks(path);
      staged.push(stage(path, text));
    }
    // A single file is replaced atomically already.
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

/** Takes the place of a system error code; unknown codes are shown as they are. */
export const LEADS_OUT = "a link on the way leads out of the git repository";

function stage(path: string, text: string): Staged {
  const file: Staged = { path, temporary: hidden(path, "tmp") };
  attempt(path, () => {
    discard(file.temporary);
    try {
      // The exclusive flag keeps other writers from redirecting the file by a link.
      writeFileSync(file.temporary, text, { flag: "wx" });
    } catch (error) {
      discard(file.temporary);
      throw error;
    }
  });
  return file;
}

/** A hard link costs no space, and renaming over the first name leaves it. */
function keep(file: Staged): void {
  if (lstatSync(file.path, { throwIfNoEntry: false }) === undefined) return;
  const name = hidden(file.path, "old");
  discard(name);
  try {
    linkSync(file.path, name);
    file.before = name;
  } catch {
    // Some file systems have no hard links: then replaced files stay new, and are whole.
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

/** Hidden, so that a file left behind by a killed process is not read as a manifest and does not stop the next run. */
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
    // The earlier error is the one that the user needs.
  }
}
