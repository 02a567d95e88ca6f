/** Decides whether anp renders an application's folder, as Argo CD's discovery asks. */
import { parseSources } from "../../krm/parse/parse.ts";
import { HYPERSHIFT_KARPENTER_GROUP } from "../../krm/findings/known-kinds.ts";
import type { Source } from "../../krm/places/source.ts";
import { roleOf } from "../objects/role.ts";

export interface Discovered {
  /** The files that hold a wrapper. */
  readonly files: readonly string[];
  /** The file that assigns the folder to another tool. */
  readonly otherTool?: string;
}

/** In the folder itself they tell Argo CD which tool builds it, and a matching plugin would come before that tool. */
const OTHER_TOOLS = ["Chart.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization"];

/**
 * A policy alone is not an application: Argo CD may sync it to the management cluster as it is.
 * @param seen every name below the folder that was read or skipped
 */
export function discoverApplication(sources: readonly Source[], seen: readonly string[]): Discovered {
  const otherTool = OTHER_TOOLS.find((name) => seen.includes(name));
  if (otherTool !== undefined) return { files: [], otherTool };
  const files = sources.filter(({ text }) => text.includes(HYPERSHIFT_KARPENTER_GROUP)).filter(holdsWrapper);
  return { files: files.map(({ file }) => file) };
}

function holdsWrapper(source: Source): boolean {
  return parseSources([source]).value.some((resource) =>
    ["node-pool", "node-class"].includes(String(roleOf(resource))),
  );
}
