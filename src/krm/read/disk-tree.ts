/** The file tree on disk, and the standard input. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { posix, resolve, sep } from "node:path";
import {
  type Entry,
  type FilesBeside,
  type FileTree,
  type FileType,
  type Fits,
  Refusal,
  THROUGH_LINK,
} from "./file-tree.ts";
import { MAX_INPUT_BYTES } from "./input-bytes.ts";
import { LinkBoundary } from "./link-boundary.ts";
import { readError, readWithinLimit } from "./read-file.ts";

/** The key of a path; a path is never empty. */
export const STDIN = "";

/** This is an error, not a skip: the objects behind the link would be missing, and Argo CD would prune them. */
export const LEADS_OUTSIDE = new Refusal("link-outside", {
  message: "is a link that leads outside the given paths and their git repository; nothing of it is read",
  hint: "replace it with a file, give its target as a PATH, or name the link in .krmignore",
});

/**
 * Places are paths as findings show them. The system follows links; the real path then decides whether the target may
 * be read. Some entries are neither files nor folders; a submodule is read as any other folder.
 */
export class DiskTree implements FileTree<string> {
  readonly prefix = "";
  readonly #reach: LinkBoundary;
  readonly #readStdin: () => Buffer;

  constructor(reach: LinkBoundary, readStdin: () => Buffer) {
    this.#reach = reach;
    this.#readStdin = readStdin;
  }

  entriesOf(folder: string): Entry<string>[] | Refusal {
    return attempt(folder, () =>
      readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        type: entry.isSymbolicLink() ? "link" : typeOf(entry),
        at: posix.join(folder, entry.name),
      })),
    );
  }

  typeOf(path: string): FileType {
    if (path === STDIN) return "file";
    const kind = attempt(path, () => statSync(path));
    return kind instanceof Refusal ? "unknown" : typeOf(kind);
  }

  enter(path: string): ReturnType<FileTree<string>["enter"]> {
    if (path === STDIN) return { at: path, real: path };
    const real = attempt(path, () => realPath(path));
    if (real instanceof Refusal) return real;
    return { at: path, real: withSlashes(real), refusal: this.#reach.holds(real) ? undefined : LEADS_OUTSIDE };
  }

  read(path: string): Buffer | number | Refusal {
    return attempt(path, () => (path === STDIN ? this.#readStdin() : readWithinLimit(path, MAX_INPUT_BYTES)));
  }

  /** Files are read one after the other, right after the check, so that little time passes between check and read. */
  *readAll<File extends { readonly at: string }>(
    files: Iterable<File>,
    fits: Fits<File>,
  ): Generator<readonly [File, Buffer]> {
    for (const file of files) {
      const bytes = this.read(file.at);
      const isRead = Buffer.isBuffer(bytes);
      if (fits(file, isRead ? bytes.length : bytes) && isRead) yield [file, bytes];
    }
  }
}

export function withSlashes(path: string): string {
  // Only Windows separates folders with backslashes; elsewhere a backslash is part of a name.
  return posix.normalize(sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/(?<=.)\/$/, "");
}

/** The path from the root of the disk. */
export function placeOf(path: string): string {
  try {
    return withSlashes(resolve(path));
  } catch {
    // The working directory is gone, and with it any relative path.
    return path;
  }
}

/** On Linux the C library gives the same path much faster, except of a pipe, which only node can name. */
function realPath(path: string): string {
  if (process.platform !== "linux") return realpathSync(path);
  try {
    return realpathSync.native(path);
  } catch {
    return realpathSync(path);
  }
}

function typeOf(kind: Pick<Dirent | Stats, "isDirectory" | "isFile">): FileType {
  if (kind.isDirectory()) return "folder";
  return kind.isFile() ? "file" : "other";
}

function attempt<T>(path: string, act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    return new Refusal("file-unreadable", readError(error as NodeJS.ErrnoException, path));
  }
}

/** Files of the given paths, and of the git repositories that hold them. */
export function filesOnDisk(given: readonly string[]): FilesBeside {
  const tree = new DiskTree(new LinkBoundary(given), () => Buffer.alloc(0));
  const problemAt = (place: string, folder: string): string | undefined => {
    const entered = tree.enter(place);
    const top = tree.enter(folder);
    if (entered instanceof Refusal) return entered.words.message;
    if (top instanceof Refusal) return top.words.message;
    if (entered.refusal !== undefined) return OUTSIDE;
    return entered.real === posix.join(top.real, posix.relative(folder, place)) ? undefined : THROUGH_LINK;
  };
  return {
    at: (place, { folder }) => {
      const problem = problemAt(place, folder);
      if (problem !== undefined) return { problem };
      const type = tree.typeOf(place);
      if (type === "folder") return "folder";
      const bytes = type === "file" ? tree.read(place) : NO_FILE;
      if (bytes instanceof Refusal) return { problem: bytes.words.message };
      return typeof bytes === "number" ? { problem: "is larger than anp reads" } : { bytes };
    },
    entriesOf: (place, { folder }) => {
      const entries = problemAt(place, folder) ?? tree.entriesOf(place);
      return entries instanceof Refusal ? entries.words.message : entries;
    },
    fileOf: (place, { file, folder }) => posix.join(posix.dirname(file), posix.relative(folder, place)),
  };
}

const OUTSIDE = "is outside the given paths and their git repository: give the folder that holds both";
const NO_FILE = new Refusal("file-unreadable", { message: "is neither a file nor a folder" });
