/** The folders that a RenderConfig names as those of its hosted cluster (`spec.paths`). */
import { valueAt } from "../krm/field-path.ts";
import type { Resource } from "../krm/resource.ts";
import { folderAt } from "./folders.ts";

/** In their order, from the folder that the RenderConfig stands in; undefined for what is no text. */
export function namedFolders({ kind, value, folder }: Resource): (string | undefined)[] {
  const paths = kind === "RenderConfig" ? valueAt(value, ["spec", "paths"]) : undefined;
  if (!Array.isArray(paths)) return [];
  return paths.map((path: unknown) => (typeof path === "string" ? folderAt(folder, path) : undefined));
}
