/** The files on the disk, and the standard input, as a tree. */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { posix, resolve, sep } from "node:path";
import { type Entry, type FileTree, type FileType, type Fits, Refusal } from "./file-tree.ts";
import { MAX_INPUT_BYTES } from "./input-bytes.ts";
import type { Reach } from "./reach.ts";
import { readWithinLimit } from "./read-file.ts";
import { whyUnreadable } from "./why-unreadable.ts";

/** Stands for a path, which is never empty. */
export const STDIN = "";

/** Not passed over: what it should hold would be missing, and Argo CD would prune it. */
export const LEADS_OUTSIDE = new Refusal("link-outside", {
  message: "is a link that leads outside of what was given and of its git repository; nothing of it is read",
  hint: "put a file in its place, give what it leads to as a PATH, or name the link in .krmignore",
});

/**
 * Places are paths as findings show them. A link is followed wherever it leads, by the system, and its real path says
 * whether it may be. There are things that are neither files nor folders; a submodule is a folder as any other.
 */
export class DiskTree implements FileTree<string> {
  readonly prefix = "";
  readonly #reach: Reach;
  readonly #readStdin: () => Buffer;

  constructor(reach: Reach, readStdin: () => Buffer) {
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
    const real = attempt(path, () => realpathSync(path));
    if (real instanceof Refusal) return real;
    return { at: path, real: withSlashes(real), refusal: this.#reach.holds(real) ? undefined : LEADS_OUTSIDE };
  }

  read(path: string): Buffer | number | Refusal {
    return attempt(path, () => (path === STDIN ? this.#readStdin() : readWithinLimit(path, MAX_INPUT_BYTES)));
  }

  /** One after the other: each as soon as it is found, while it still is what was judged. */
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
  // Only Windows has backslashes between folders; elsewhere they are part of a name.
  return posix.normalize(sep === "\\" ? path.replaceAll("\\", "/") : path).replace(/(?<=.)\/$/, "");
}

/** From the root of the disk. */
export function placeOf(path: string): string {
  try {
    return withSlashes(resolve(path));
  } catch {
    // The working directory is gone, and with it whatever the path could lead to.
    return path;
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
    return new Refusal("file-unreadable", whyUnreadable(error as NodeJS.ErrnoException, path));
  }
}
