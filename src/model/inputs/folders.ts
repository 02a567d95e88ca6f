/** Folders as text: their ancestors, relative paths, and those that a RenderConfig assigns. */
import { valueAt } from "../../krm/places/field-path.ts";
import type { Resource } from "../../krm/places/resource.ts";

/** The folder itself and every folder above it; the root of a stream is `""`. */
export function ancestors(folder: string): string[] {
  const found = [folder];
  for (let slash = folder.lastIndexOf("/"); slash !== -1; slash = folder.lastIndexOf("/", slash - 1)) {
    found.push(folder.slice(0, slash));
    if (slash === 0) break;
  }
  if (!found.includes("")) found.push("");
  return found;
}

/** The nearest folder that holds them all; undefined for an empty list, and if it would be the root of a disk. */
export function commonFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map(ancestors);
  const common = first?.find((folder) => others.every((other) => other.includes(folder)));
  return common === "" && folders.some((folder) => folder.startsWith("/")) ? undefined : common;
}

/** Resolves a relative path from a folder; nothing is above the root. */
export function pathFrom(folder: string, path: string): string {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const isStream = !folder.startsWith("/");
  return (isStream ? parts.filter((part) => part !== "") : parts).join("/");
}

/** In their order, relative to the RenderConfig's folder; undefined for values that are not texts. */
export function namedFolders({ kind, value, folder }: Resource): (string | undefined)[] {
  const paths = kind === "RenderConfig" ? valueAt(value, ["spec", "paths"]) : undefined;
  if (!Array.isArray(paths)) return [];
  return paths.map((path: unknown) => (typeof path === "string" ? pathFrom(folder, path) : undefined));
}

/** Whether a rule may assign the folder: a rule that a `*` of `--policy-dir` found, only inside its own tree. */
export function mayGive({ document }: Resource, folder: string): boolean {
  const { tree } = document.source;
  return tree === undefined || ancestors(folder).includes(tree);
}
