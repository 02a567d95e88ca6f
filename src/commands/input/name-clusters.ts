/** Names the hosted cluster of a finding by the folder of its file. */
import { placeOf } from "../../krm/read/disk-tree.ts";
import { type Finding, ofCluster } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Gathered } from "../../model/inputs/gather.ts";

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
export function folderOf(place: string): string {
  return place.slice(0, Math.max(0, place.lastIndexOf("/")));
}
