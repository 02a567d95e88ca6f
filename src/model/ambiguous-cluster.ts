/** What is said, once for each cause, where nobody can tell the hosted cluster of wrappers. */
import { counted } from "../krm/counted.ts";
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { ancestors } from "./folders.ts";

/** A wrapper that may be of several hosted clusters, or of none. */
export interface StrayWrapper {
  readonly resource: Resource;
  readonly among: readonly string[];
}

interface Circumstances {
  readonly namespaces: readonly string[];
  /** Whether the rules stand in `--policy-dir`. */
  readonly rulesApart: boolean;
  /** Folders, as findings show them, that kustomize builds manifests of. */
  readonly kustomized: ReadonlySet<string>;
}

/** One for those of no folder, one for those that kustomize has not built yet, one for each set of clusters. */
export function strayFindings(strays: readonly StrayWrapper[], circumstances: Circumstances): Finding[] {
  const groups = Map.groupBy(strays, ({ resource, among }) =>
    among.length > 0 ? among.join(",") : isKustomized(resource, circumstances.kustomized) ? "kustomize" : "",
  );
  return [...groups].map(([cause, group]) => {
    const resources = group.map(({ resource }) => resource);
    if (cause === "kustomize") return notBuilt(resources);
    return nobodys(resources, group[0]!.among, circumstances);
  });
}

/** A folder that is given to a second cluster. */
export function conflictOf(resource: Resource, folder: string, namespace: string, among: readonly string[]): Finding {
  const others = `${listed(among.filter((other) => other !== namespace))} as well`;
  if (folder !== resource.folder && resource.kind === "RenderConfig") {
    const message = `${describeResource(resource)} gives ${namespace} a folder that belongs to ${others}`;
    return findingAt("ambiguous-cluster", resource, ["spec", "paths"], { message, hint: "take it out of one of them" });
  }
  const message = `${describeResource(resource)} gives this folder to ${namespace}, and it belongs to ${others}`;
  const hint = "move one of them to a folder of its own";
  return findingAt("ambiguous-cluster", resource, ["metadata", "namespace"], { message, hint });
}

function nobodys(resources: readonly Resource[], among: readonly string[], circumstances: Circumstances): Finding {
  const where = among.length === 0 ? "in no hosted cluster's folder" : "in the folder of more than one hosted cluster";
  const candidates = listed(among.length === 0 ? circumstances.namespaces : among);
  const message = `${subjectOf(resources, "stands", "stand")} ${where}: ${candidates}`;
  const hint = circumstances.rulesApart ? SAY_PATHS : GIVE_FOLDERS;
  return findingAt("ambiguous-cluster", resources[0]!, [], { message, hint });
}

const GIVE_FOLDERS =
  "give each hosted cluster a folder of its own with its AutoNodePolicy in it, name its folders in spec.paths of its RenderConfig, or select one with --hosted-cluster";

const SAY_PATHS =
  "in the policy directory, name the folders of each hosted cluster in spec.paths of its RenderConfig, such as paths: [../shop]; or select one with --hosted-cluster";

function notBuilt(resources: readonly Resource[]): Finding {
  const message = `${subjectOf(resources, "is", "are")} for kustomize to build, and in no hosted cluster's folder`;
  const hint =
    "anp runs no kustomize: write what `kustomize build` prints of each hosted cluster into a folder of its own, and give anp that instead";
  return findingAt("ambiguous-cluster", resources[0]!, [], { message, hint });
}

function subjectOf(resources: readonly Resource[], verb: string, verbOfMany: string): string {
  const [first, ...others] = resources;
  if (first !== undefined && others.length === 0) return `${describeResource(first)} ${verb}`;
  const folders = [...new Set(resources.map(shownFolderOf))].map((folder) => folder || ".");
  return `${counted(resources.length, "wrapper")} (in ${listed(folders)}) ${verbOfMany}`;
}

/** As many as anybody reads. */
const LISTED = 12;

function listed(names: readonly string[]): string {
  const more = names.length - LISTED;
  return names.slice(0, LISTED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function shownFolderOf({ document }: Resource): string {
  const { file, folder } = document.source;
  return folder === "" ? file : file.slice(0, Math.max(0, file.lastIndexOf("/")));
}

function isKustomized(resource: Resource, kustomized: ReadonlySet<string>): boolean {
  return kustomized.size > 0 && ancestors(shownFolderOf(resource)).some((folder) => kustomized.has(folder));
}
