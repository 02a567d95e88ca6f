/** `.krmignore`: patterns as in .gitignore that exclude files of a package. */
import ignore, { type Ignore } from "ignore";

export interface KrmIgnore {
  /** The folder that holds the file, from the root; its patterns are relative to it. */
  readonly folder: string;
  readonly patterns: Ignore;
}

/** The convention is kpt's. */
export function parseKrmIgnore(folder: string, text: string): KrmIgnore {
  return { folder, patterns: ignore({ ignorecase: false }).add(text) };
}

/** Whether any of the `.krmignore` files from the root to the path's folder excludes `path`. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly KrmIgnore[]): boolean {
  return rules.some(({ folder, patterns }) => patterns.ignores(below(folder, path) + (isFolder ? "/" : "")));
}

/** The root already ends in its slash. */
function below(folder: string, path: string): string {
  return path.slice(folder.endsWith("/") ? folder.length : folder.length + 1);
}
