/** Terraform files beside manifests: the objects that they apply, for answers about them. */
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import type { FilesBeside } from "../../krm/read/file-tree.ts";
import { isOfTerraform } from "../../krm/read/manifest-names.ts";
import { holdsManifest, terraformObjects } from "../../krm/terraform/manifests.ts";
import { isOfHostedCluster } from "../../model/objects/input-mode.ts";
import { isNamingOurs, NAMES_HOSTED } from "./builds.ts";

/**
 * The objects of Terraform files, in which values of variables are hidden that files or the user keep to themselves.
 * Undefined if there are none, or if there is something to defend: then these files are no manifests.
 * @param manifests the other files of the input
 */
export function objectsOfTerraform(
  sources: readonly Source[],
  files: FilesBeside,
  manifests: readonly Source[],
): Outcome<readonly Resource[]> | undefined {
  const own = sources.filter(({ file }) => isOfTerraform(file));
  if (!own.some(({ text }) => holdsManifest(text))) return undefined;
  if ([...own, ...manifests].some(({ text }) => NAMES_HOSTED.test(text))) return undefined;
  const { value, findings, hidden } = terraformObjects({ sources: own, files, isOurs: isNamingOurs });
  if (value.some(isOfHostedCluster) || (value.length === 0 && findings.length === 0)) return undefined;
  const names = new Set(value.flatMap(({ name, namespace }) => [name, namespace]));
  const filled = new Map([...hidden].filter(([text]) => !names.has(text)));
  return { value: filled.size === 0 ? value : value.map((resource) => ({ ...resource, filled })), findings };
}
