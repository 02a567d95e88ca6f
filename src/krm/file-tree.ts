/** A tree of files, on disk or in a commit: its entries, and why something in it cannot be read. */
import type { Words } from "./finding.ts";
import type { FindingCode } from "./finding-codes.ts";

/** `other` is a pipe, a socket or a device; `unknown` a link to nothing, which may be meant for a file or a folder. */
export type FileType = "file" | "folder" | "other" | "unknown";

export interface Entry<At> {
  readonly name: string;
  readonly type: FileType | "link";
  readonly at: At;
}

/** Why something cannot be read. */
export class Refusal {
  readonly code: FindingCode;
  readonly words: Words;

  constructor(code: FindingCode, words: Words) {
    this.code = code;
    this.words = words;
  }
}

export interface Entered<At> {
  readonly at: At;
  /** One for whatever has several names, with `/`. */
  readonly real: string;
  /** Told once of all links in a folder that lead to it. */
  readonly refusal?: Refusal | undefined;
}

/** Whether a file of that size is read; says why not. */
export type Fits<File> = (file: File, size: number | Refusal) => boolean;

/** What a tree has to say for itself; what is done with it is the same for all trees. `At` is where something stands. */
export interface FileTree<At> {
  /** What findings write before a path. */
  readonly prefix: string;
  readonly entriesOf: (folder: At) => readonly Entry<At>[] | Refusal;
  /** Of what links lead to. */
  readonly typeOf: (at: At) => FileType;
  /** Follows links. */
  readonly enter: (at: At) => Entered<At> | Refusal;
  /** The bytes of one file, or how many they are where they are too many. */
  readonly read: (file: At) => Buffer | number | Refusal;
  /** The bytes of many files, of those that are to have them. */
  readonly readAll: <File extends { readonly at: At }>(
    files: Iterable<File>,
    fits: Fits<File>,
  ) => Iterable<readonly [File, Buffer]>;
}

/** A path in a folder. */
export function below(folder: string, name: string): string {
  if (folder === "" || folder === ".") return name;
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}
