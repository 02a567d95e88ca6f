/** `.krmignore`: patterns as in .gitignore that keep files of a package away from functions (kpt's convention). */
import ignore, { type Ignore } from "ignore";

export interface KrmIgnore {
  /** The folder that holds the file; its patterns are relative to it. */
  readonly folder: string;
  readonly patterns: Ignore;
}

export function parseKrmIgnore(folder: string, text: string): KrmIgnore {
  return { folder, patterns: ignore().add(text) };
}

/** Whether any of the `.krmignore` files from the root to the path's folder leaves `path` out. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly KrmIgnore[]): boolean {
  return rules.some(({ folder, patterns }) => patterns.ignores(path.slice(folder.length + 1) + (isFolder ? "/" : "")));
}
