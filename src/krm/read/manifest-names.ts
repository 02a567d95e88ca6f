/** Decides by name and by `.krmignore` which files and folders may hold manifests. */
import ignore, { type Ignore } from "ignore";
import type { FileType } from "./file-tree.ts";

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** The names by which kustomize knows its file. */
export const KUSTOMIZATION_NAMES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/** Configuration files of other tools, which are never applied to a cluster. */
const OF_OTHER_TOOLS = [...KUSTOMIZATION_NAMES, "Kptfile"];

/** Why configuration of other tools is skipped. */
export const OF_OTHER_TOOL = "is configuration of kustomize or kpt, not a manifest";

/** Whether a user may expect the file to be read. */
export function mayHoldManifests(name: string): boolean {
  return isOfOtherTools(name) || EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

/** Whether the file configures kustomize or kpt. */
export function isOfOtherTools(name: string): boolean {
  return OF_OTHER_TOOLS.includes(name);
}

/** Whether the file tells kustomize how to build its folder. */
export function isKustomization(name: string): boolean {
  return KUSTOMIZATION_NAMES.includes(name);
}

/** The same for the path of a file, as findings and sources have it. */
export function isKustomizationFile(file: string): boolean {
  return isKustomization(file.slice(file.lastIndexOf("/") + 1));
}

/** Whether Terraform reads it, or takes values of variables from it. */
export function isOfTerraform(name: string): boolean {
  return name.endsWith(".tf") || name.endsWith(".tfvars");
}

/** Why an entry of a folder is not read; undefined if it is read. */
export function reasonToSkip(name: string, type: FileType): string | undefined {
  if (name.startsWith(".")) return `hidden ${type === "folder" ? "folders" : "files"} are not read`;
  if (type === "unknown") return undefined;
  // Opening a pipe would block until a program writes into it.
  if (type === "other") return "is neither a file nor a folder";
  return type === "file" && isOfOtherTools(name) ? OF_OTHER_TOOL : undefined;
}

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
