/** The findings about wrappers of an unknown hosted cluster, one for each cause. */
import { counted } from "../../krm/values/counted.ts";
import { valueAt } from "../../krm/places/field-path.ts";
import { type Finding, findingAt } from "../../krm/findings/finding.ts";
import { describeResource, type Resource } from "../../krm/places/resource.ts";
import { ancestors, namedFolders } from "./folders.ts";

/** A wrapper that may belong to several hosted clusters, or to none. */
export interface StrayWrapper {
  readonly resource: Resource;
  readonly among: readonly string[];
}

interface Circumstances {
  readonly namespaces: readonly string[];
  /** Whether the rules are in `--policy-dir`. */
  readonly rulesApart: boolean;
  /** Whether a selected cluster gets the wrappers that are in no cluster's folder. */
  readonly selectable: boolean;
  /** Folders, as findings show them, that kustomize builds manifests of. */
  readonly kustomized: ReadonlySet<string>;
}

/**
 * One finding for wrappers in no folder, one for those that kustomize has not built yet, one for each set of clusters.
 */
export function strayFindings(strays: readonly StrayWrapper[], circumstances: Circumstances): Finding[] {
  const groups = Map.groupBy(strays, ({ resource, among }) =>
    among.length > 0 ? among.join(",") : isKustomized(resource, circumstances.kustomized) ? "kustomize" : "",
  );
  return [...groups].map(([cause, group]) => {
    const resources = group.map(({ resource }) => resource);
    if (cause === "kustomize") return notBuilt(resources);
    return unassigned(resources, group[0]!.among, circumstances);
  });
}

/** An object that gives a folder to a hosted cluster. */
export interface Giver {
  readonly folder: string;
  readonly namespace: string;
  readonly by: Resource;
}

/**
 * A folder of several clusters. The finding is at an entry of `spec.paths` that names it, because that can be removed;
 * else at the object that gives the nearest folder.
 * @param givers the nearest folder's last
 */
export function conflictOf(givers: readonly Giver[], among: readonly string[]): Finding {
  const named = givers.findLast(({ folder, by }) => namedFolders(by).includes(folder));
  const { folder, namespace, by } = named ?? givers.at(-1)!;
  const other = givers.findLast((giver) => giver.namespace !== namespace)!;
  const others = listed(among.filter((one) => one !== namespace));
  const from = `(${other.by.document.source.file})`;
  if (named === undefined) {
    const message = `${describeResource(by)} gives this folder to ${namespace}, and it belongs to ${others} as well ${from}`;
    const field = by.kind === "RenderConfig" ? ["spec", "hostedCluster", "namespace"] : ["metadata", "namespace"];
    return findingAt("ambiguous-cluster", by, field, { message, hint: "move one of them to a folder of its own" });
  }
  const index = namedFolders(by).indexOf(folder);
  const path = JSON.stringify(valueAt(by.value, ["spec", "paths", index]));
  const relation = ancestors(folder).includes(other.folder)
    ? `which belongs to ${others} as well`
    : `in which there is one of ${others}`;
  const message = `${describeResource(by)} gives ${namespace} the folder ${path}, ${relation} ${from}`;
  return findingAt("ambiguous-cluster", by, ["spec", "paths", index], { message, hint: "take it out of one of them" });
}

function unassigned(resources: readonly Resource[], among: readonly string[], circumstances: Circumstances): Finding {
  const where = among.length === 0 ? "in no hosted cluster's folder" : "in the folder of more than one hosted cluster";
  const candidates = listed(among.length === 0 ? circumstances.namespaces : among);
  const message = `${subjectOf(resources)} ${where}: ${candidates}`;
  const give = circumstances.rulesApart ? NAME_PATHS : GIVE_FOLDERS;
  const hint = among.length > 0 || circumstances.selectable ? `${give}; or select one with --hosted-cluster` : give;
  return findingAt("ambiguous-cluster", resources[0]!, [], { message, hint });
}

const GIVE_FOLDERS =
  "give each hosted cluster a folder of its own with its AutoNodePolicy in it, or name its folders in spec.paths of its RenderConfig";

const NAME_PATHS =
  "in the policy directory, name the folders of each hosted cluster in spec.paths of its RenderConfig, such as paths: [../shop]";

/** The hint for manifests that kustomize builds. */
export const BUILD_FIRST =
  "anp does not run kustomize: write the output of `kustomize build` for each hosted cluster into a folder of its own, and give anp that folder instead";

function notBuilt(resources: readonly Resource[]): Finding {
  const message = `${subjectOf(resources)} for kustomize to build, and in no hosted cluster's folder`;
  return findingAt("ambiguous-cluster", resources[0]!, [], { message, hint: BUILD_FIRST });
}

function subjectOf(resources: readonly Resource[]): string {
  const [first, ...others] = resources;
  if (first !== undefined && others.length === 0) return `${describeResource(first)} is`;
  const folders = [...new Set(resources.map(shownFolderOf))].map((folder) => folder || ".");
  return `${counted(resources.length, "wrapper")} (in ${listed(folders)}) are`;
}

/** A finding lists no more names than this. */
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
