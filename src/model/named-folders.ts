/** The folders that a RenderConfig assigns to its hosted cluster (`spec.paths`). */
import { valueAt } from "../krm/field-path.ts";
import type { Resource } from "../krm/resource.ts";
import { ancestors, folderAt } from "./folders.ts";

/** In their order, relative to the RenderConfig's folder; undefined for values that are not texts. */
export function namedFolders({ kind, value, folder }: Resource): (string | undefined)[] {
  const paths = kind === "RenderConfig" ? valueAt(value, ["spec", "paths"]) : undefined;
  if (!Array.isArray(paths)) return [];
  return paths.map((path: unknown) => (typeof path === "string" ? folderAt(folder, path) : undefined));
}

/** Whether a rule may assign the folder: a rule that a `*` of `--policy-dir` found, only inside its own tree. */
export function mayGive({ document }: Resource, folder: string): boolean {
  const { tree } = document.source;
  return tree === undefined || ancestors(folder).includes(tree);
}
