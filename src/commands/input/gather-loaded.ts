/** Gathers loaded objects to bundles; what only complete input makes sure is said only then. */
import { type Finding, findingOnInput, hasErrors, type Outcome } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import { placeOf } from "../../krm/disk-tree.ts";
import { isKustomization, OF_OTHER_TOOL } from "../../krm/manifest-names.ts";
import { BUILD_FIRST } from "../../model/ambiguous-cluster.ts";
import { hasWrappers } from "../../model/bundle.ts";
import type { HostedClusters } from "../../model/hosted-clusters.ts";
import { folderOf, namedByPlace } from "./name-clusters.ts";
import { type Gathered, gatherBundles, type GatherOptions } from "../../model/gather.ts";

export interface Loaded {
  readonly resources: readonly Resource[];
  /** The RenderConfig of `--config`. */
  readonly config: Resource | undefined;
}

/** @param findings of loading them */
export function gatherLoaded(
  { resources, config }: Loaded,
  findings: readonly Finding[],
  hostedCluster: string | undefined,
  { outputsOfOperator }: Pick<GatherOptions, "outputsOfOperator"> = {},
): Outcome<Gathered> {
  const kustomized = kustomizedFolders(findings);
  const options = { hostedCluster, config, outputsOfOperator, kustomized };
  const { value, findings: onChoosing } = gatherBundles(resources, options);
  const all = namedByPlace(
    [...findings.map((one) => asNotBuilt(one, value.clusters)), ...onChoosing],
    value,
    resources,
  );
  const sure = all.filter(({ code }) => code !== "hosted-cluster-absent");
  // Where something could not be read, nobody can tell that the input names no hosted cluster.
  if (hasErrors(all)) return { value, findings: sure };
  return { value, findings: isNotOurs(value) ? [...sure, NOT_OURS] : all };
}

/** What kustomize makes of a hosted cluster's folder is not what stands there: it may add a base, or patch. */
function asNotBuilt(finding: Finding, clusters: HostedClusters): Finding {
  const { code, file = "", message } = finding;
  if (code !== "file-skipped" || message !== OF_OTHER_TOOL || !isKustomization(nameOf(file))) return finding;
  const owner = clusters.ownerApartFromRules(folderOf(placeOf(file)));
  if (owner === undefined) return finding;
  const words = `is for kustomize to build, and what stands beside it is read for ${owner} as it is`;
  return { ...finding, severity: "warning", message: words, hint: `${BUILD_FIRST}; or name this file in .krmignore` };
}

/** Folders, as findings show them, with a file of kustomize that was passed over. */
export function kustomizedFolders(findings: readonly Finding[]): ReadonlySet<string> {
  const skipped = findings.flatMap(({ code, file = "" }) => (code === "file-skipped" ? [file] : []));
  const found = skipped.filter((file) => isKustomization(nameOf(file)));
  return new Set(found.map(folderOf));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Neither a wrapper nor anything that names a hosted cluster: most likely the wrong path. */
function isNotOurs({ bundles, named }: Gathered): boolean {
  return named.length === 0 && !bundles.some(hasWrappers);
}

const NOT_OURS: Finding = findingOnInput("input-not-ours", {
  message: "the input holds no OpenshiftNodePool and no OpenshiftEC2NodeClass, and names no hosted cluster",
  hint: "check the paths; anp renders wrappers under the AutoNodePolicy of their hosted cluster",
});
