/** Whose a finding is that only says where it was found: the hosted cluster of its folder. */
import { placeOf } from "../../krm/disk-tree.ts";
import { type Finding, ofCluster } from "../../krm/finding.ts";
import type { Resource } from "../../krm/resource.ts";
import type { Gathered } from "../../model/gather.ts";

/** Where several are answered for; of what stands in nobody's folder, a policy names its own. */
export function namedByPlace(
  findings: readonly Finding[],
  { bundles, named, clusters }: Pick<Gathered, "bundles" | "named" | "clusters">,
  resources: readonly Resource[],
): readonly Finding[] {
  if (bundles.length < 2) return findings;
  const folders = new Map(resources.map(({ document: { source } }) => [source.file, source.folder]));
  return findings.flatMap((finding) => {
    const { code, file, resource } = finding;
    if (code === "ambiguous-cluster") return [finding];
    const folder = file === undefined ? undefined : (folders.get(file) ?? folderOf(placeOf(file)));
    // A stream is in no folder.
    const owner = folder === undefined || folder === "" ? undefined : clusters.ownerOfFolder(folder);
    return ofCluster(owner ?? named.find((name) => name === resource?.namespace), [finding]);
  });
}

/** `""` for a name alone. */
export function folderOf(place: string): string {
  return place.slice(0, Math.max(0, place.lastIndexOf("/")));
}
