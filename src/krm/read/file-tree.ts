/** The interface of a tree of files, on disk or in a commit. */
import type { Words } from "../findings/finding.ts";
import type { FindingCode } from "../findings/finding-codes.ts";

/**
 * `other` is a pipe, a socket or a device; `unknown` a link without a target, which may have been a file or a folder.
 */
export type FileType = "file" | "folder" | "other" | "unknown";

export interface Entry<At> {
  readonly name: string;
  readonly type: FileType | "link";
  readonly at: At;
}

/** Why an entry cannot be read. */
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
  /** The same for all names of one entry, with `/`. */
  readonly real: string;
  /** Reported once for all links in a folder that lead to it. */
  readonly refusal?: Refusal | undefined;
}

/** Whether a file of that size is read; reports it if not. */
export type Fits<File> = (file: File, size: number | Refusal) => boolean;

/** The operations that differ between trees. `At` is the type of a place in the tree. */
export interface FileTree<At> {
  /** What findings write before a path. */
  readonly prefix: string;
  readonly entriesOf: (folder: At) => readonly Entry<At>[] | Refusal;
  /** The type of a link's target. */
  readonly typeOf: (at: At) => FileType;
  /** Follows links. */
  readonly enter: (at: At) => Entered<At> | Refusal;
  /** The bytes of one file, or its size if it is too large. */
  readonly read: (file: At) => Buffer | number | Refusal;
  /** The bytes of those files that may be read. */
  readonly readAll: <File extends { readonly at: At }>(
    files: Iterable<File>,
    fits: Fits<File>,
  ) => Iterable<readonly [File, Buffer]>;
}

/** What is at a path: the bytes of a file, a folder, or why neither can be read. */
type Found = { readonly bytes: Buffer } | "folder" | { readonly problem: string };

/**
 * Files beside those of an input, such as those that a kustomization takes: by their places, which are absolute paths.
 * A link is not followed.
 */
export interface FilesBeside {
  /** @param near a file that was read */
  readonly at: (place: string, near: NearFile) => Found;
  /** What a folder holds, by name; a text says why it cannot be read. */
  readonly entriesOf: (place: string, near: NearFile) => readonly Pick<Entry<never>, "name" | "type">[] | string;
  /** Its name in findings. */
  readonly fileOf: (place: string, near: NearFile) => string;
}

type NearFile = { readonly file: string; readonly folder: string };

export const THROUGH_LINK = "is reached through a link";

/** A path in a folder. */
export function below(folder: string, name: string): string {
  if (folder === "" || folder === ".") return name;
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}
