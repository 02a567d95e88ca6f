/** Terraform files and plans: the objects that they apply, for answers about them. */
import type { Outcome } from "../../krm/findings/finding.ts";
import type { Resource } from "../../krm/places/resource.ts";
import type { Source } from "../../krm/places/source.ts";
import type { FilesBeside } from "../../krm/read/file-tree.ts";
import { isOfTerraform } from "../../krm/read/manifest-names.ts";
import { holdsManifest, terraformObjects } from "../../krm/terraform/manifests.ts";
import { mayBePlan, plannedObjects } from "../../krm/terraform/plan.ts";
import { isOfHostedCluster } from "../../model/objects/input-mode.ts";
import { isNamingOurs, NAMES_HOSTED } from "./builds.ts";

export interface ObjectsOfTerraform extends Outcome<readonly Resource[]> {
  /** Set for plans: what they change. */
  readonly before: Outcome<readonly Resource[]> | undefined;
  /** The files of the input that are no manifests. */
  readonly isTaken: (source: Source) => boolean;
}

/**
 * The objects of Terraform files, and of plans that the user names, in which values of variables are hidden that files
 * or the user keep to themselves. Undefined if there are none, or if there is something to defend: then these files are
 * no manifests.
 * @param manifests the other files of the input
 */
export function objectsOfTerraform(
  sources: readonly Source[],
  files: FilesBeside,
  manifests: readonly Source[],
): ObjectsOfTerraform | undefined {
  const own = sources.filter(({ file }) => isOfTerraform(file));
  const plans = manifests.filter((source) => source.explicit && mayBePlan(source));
  const hasManifest = own.some(({ text }) => holdsManifest(text));
  if (!hasManifest && plans.length === 0) return undefined;
  if ([...own, ...manifests].some(({ text }) => NAMES_HOSTED.test(text))) return undefined;
  const planned = plans.flatMap((plan) => plannedObjects(plan, isNamingOurs) ?? []);
  const ofFiles = hasManifest ? [terraformObjects({ sources: own, files, isOurs: isNamingOurs })] : [];
  const hidden = new Map([...planned, ...ofFiles].flatMap((one) => [...one.hidden]));
  const now = joined([...ofFiles, ...planned.map(({ after }) => after)], hidden);
  const before =
    planned.length === 0
      ? undefined
      : joined(
          planned.map((one) => one.before),
          hidden,
        );
  if ([...now.value, ...(before?.value ?? [])].some(isOfHostedCluster)) return undefined;
  if (now.value.length === 0 && now.findings.length === 0 && before === undefined) return undefined;
  const taken = new Set(planned.length === 0 ? [] : plans);
  return { ...now, before, isTaken: (source) => isOfTerraform(source.file) || taken.has(source) };
}

function joined(
  outcomes: readonly Outcome<readonly Resource[]>[],
  hidden: ReadonlyMap<string, string>,
): Outcome<readonly Resource[]> {
  const value = outcomes.flatMap((one) => one.value);
  const findings = outcomes.flatMap((one) => one.findings);
  const names = new Set(value.flatMap(({ name, namespace }) => [name, namespace]));
  const filled = new Map([...hidden].filter(([text]) => !names.has(text)));
  return { value: filled.size === 0 ? value : value.map((resource) => ({ ...resource, filled })), findings };
}
