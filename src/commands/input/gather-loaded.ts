/** Gathers loaded objects to bundles; some findings are reported only for complete input. */
import { type Finding, findingOnInput, hasErrors, ofCluster, type Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import { placeOf } from "../../krm/read/disk-tree.ts";
import { isKustomizationFile, OF_OTHER_TOOL } from "../../krm/read/manifest-names.ts";
import { BUILD_FIRST } from "../../model/inputs/ambiguous-cluster.ts";
import { hasWrappers } from "../../model/inputs/bundle.ts";
import { gatherBundles, type Gathered, type GatherOptions } from "../../model/inputs/gather.ts";
import type { HostedClusters } from "../../model/inputs/hosted-clusters.ts";

export interface Loaded {
  readonly resources: readonly Resource[];
  /** The RenderConfig that `--config` names. */
  readonly config: Resource | undefined;
}

/** @param findings the findings of loading the objects */
export function gatherLoaded(
  { resources, config }: Loaded,
  findings: readonly Finding[],
  hostedCluster: string | undefined,
  asked: Pick<GatherOptions, "outputsOfOperator" | "nodePools" | "inferred" | "rulesTrusted"> = {},
): Outcome<Gathered> {
  const kustomized = kustomizedFolders(findings);
  const options = { ...asked, hostedCluster, config, kustomized };
  const { value, findings: onChoosing } = gatherBundles(resources, options);
  const all = namedByPlace(
    [...findings.map((one) => asNotBuilt(one, value.clusters)), ...onChoosing],
    value,
    resources,
  );
  const sure = all.filter(({ code }) => code !== "hosted-cluster-absent");
  // If something could not be read, it may name a hosted cluster.
  if (hasErrors(all)) return { value, findings: sure };
  return { value, findings: isNotOurs(value) ? [...sure, notOurs()] : all };
}

/** kustomize may add a base to a hosted cluster's folder or patch it, so the files are not what is applied. */
function asNotBuilt(finding: Finding, clusters: HostedClusters): Finding {
  const { code, file = "", message } = finding;
  if (code !== "file-skipped" || message !== OF_OTHER_TOOL || !isKustomizationFile(file)) return finding;
  const owner = clusters.ownerApartFromRules(folderOf(placeOf(file)));
  if (owner === undefined) return finding;
  const words = `is built by kustomize, but anp reads the files beside it for ${owner} unbuilt`;
  return { ...finding, severity: "warning", message: words, hint: `${BUILD_FIRST}; or name this file in .krmignore` };
}

/** Folders, named as in findings, with a file of kustomize that was skipped. */
export function kustomizedFolders(findings: readonly Finding[]): ReadonlySet<string> {
  const skipped = findings.flatMap(({ code, file = "" }) => (code === "file-skipped" ? [file] : []));
  const found = skipped.filter((file) => isKustomizationFile(file));
  return new Set(found.map(folderOf));
}

/** The input has no wrapper and names no hosted cluster, most likely because the path is wrong. */
function isNotOurs({ bundles, named }: Gathered): boolean {
  return named.length === 0 && !bundles.some(hasWrappers);
}

function notOurs(): Finding {
  const message = "the input holds no NodePool and no node class, neither Karpenter's nor OpenShift's, and no policy";
  const hint = "check the paths; anp reads manifests: render Helm charts and build kustomizations first";
  return findingOnInput("input-not-ours", { message, hint });
}

/** Applies if there are several hosted clusters. A policy outside their folders names its own cluster. */
export function namedByPlace(
  findings: readonly Finding[],
  { bundles, named, clusters }: Pick<Gathered, "bundles" | "named" | "clusters">,
  resources: readonly Resource[],
): readonly Finding[] {
  if (bundles.length < 2) return findings;
  const folders = new Map(resources.map(({ document: { source } }) => [source.file, source.folder]));
  const namespaces = new Set(named);
  return findings.flatMap((finding) => {
    const { code, file, resource } = finding;
    if (code === "ambiguous-cluster") return [finding];
    const folder = file === undefined ? undefined : (folders.get(file) ?? folderOf(placeOf(file)));
    // A stream is in no folder.
    const owner = folder === undefined || folder === "" ? undefined : clusters.ownerOfFolder(folder);
    const spokenOf = resource?.namespace;
    return ofCluster(owner ?? (spokenOf !== undefined && namespaces.has(spokenOf) ? spokenOf : undefined), [finding]);
  });
}

/** `""` for a name without a folder. */
function folderOf(place: string): string {
  return place.slice(0, Math.max(0, place.lastIndexOf("/")));
}
