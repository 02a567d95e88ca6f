/** Which files and folders may hold manifests, by their names. */
import type { FileType } from "./file-tree.ts";

const EXTENSIONS = [".yaml", ".yml", ".json"];
/** Configuration of the tools around: never applied to a cluster. */
const OF_KUSTOMIZE = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
const OF_OTHER_TOOLS = [...OF_KUSTOMIZE, "Kptfile"];

/** Why the files that tell other tools what to do are passed over. */
export const OF_OTHER_TOOL = "is configuration of kustomize or kpt, not a manifest";

/** Whether somebody may expect a file to be read. */
export function mayHoldManifests(name: string): boolean {
  return isOfOtherTools(name) || EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension));
}

/** Whether a file that is not read tells tools how to read others. */
export function isOfOtherTools(name: string): boolean {
  return OF_OTHER_TOOLS.includes(name);
}

/** What tells kustomize what to build of its folder. */
export function isKustomization(name: string): boolean {
  return OF_KUSTOMIZE.includes(name);
}

/** Why an entry of a folder is not read; undefined where it is. */
export function reasonToSkip(name: string, type: FileType): string | undefined {
  if (name.startsWith(".")) return `hidden ${type === "folder" ? "folders" : "files"} are not read`;
  if (type === "unknown") return undefined;
  if (isOfOtherTools(name)) return OF_OTHER_TOOL;
  // Opening a pipe waits for somebody to write into it.
  return type === "other" ? "is neither a file nor a folder" : undefined;
}
