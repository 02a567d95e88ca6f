/** Decides by name which files and folders may hold manifests. */
import type { FileType } from "./file-tree.ts";

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Configuration files of other tools, which are never applied to a cluster. */
const OF_KUSTOMIZE = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const OF_OTHER_TOOLS = [...OF_KUSTOMIZE, "Kptfile"];

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
  return OF_KUSTOMIZE.includes(name);
}

/** Why an entry of a folder is not read; undefined if it is read. */
export function reasonToSkip(name: string, type: FileType): string | undefined {
  if (name.startsWith(".")) return `hidden ${type === "folder" ? "folders" : "files"} are not read`;
  if (type === "unknown") return undefined;
  // Opening a pipe would block until a program writes into it.
  if (type === "other") return "is neither a file nor a folder";
  return type === "file" && isOfOtherTools(name) ? OF_OTHER_TOOL : undefined;
}
