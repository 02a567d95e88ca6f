/** Migrates Karpenter's objects completely back to v1beta1. */
import { type Finding, hasErrors, type Outcome } from "../krm/findings/finding.ts";
import { valueAt } from "../krm/places/field-path.ts";
import { fieldsOf } from "../krm/values/fields.ts";
import { checkMigrated } from "./migration.ts";
import { migrateClassToV1beta1 } from "./migrate-ec2-node-class.ts";
import { type KubeletPlan, planKubelets } from "./migrate-kubelets.ts";
import { migrateClaimToV1beta1 } from "./migrate-node-claim.ts";
import { migratePoolToV1beta1 } from "./migrate-node-pool.ts";
import { type KarpenterObject, type MigrateOptions, type Migration, noteOn } from "./migration.ts";

/** The objects keep their meaning as far as v1beta1 can express it. */
export function migrateToV1beta1(
  objects: readonly KarpenterObject[],
  { profile }: MigrateOptions,
): Outcome<Migration[]> {
  const later = objects.filter(({ version }) => version === "v1");
  const plan = planKubelets(later);
  const findings: Finding[] = [...plan.findings];
  // Objects that v1 refuses have no meaning to keep.
  for (const { resource } of later)
    findings.push(...checkMigrated({ resource, value: resource.value, split: [] }, profile));
  const value = later.map(({ resource, kind }): Migration => {
    const { kubelet, from } = plan.value.kubelets.get(resource) ?? {};
    const outcome =
      kind === "NodePool"
        ? migratePoolToV1beta1(resource, kubelet)
        : kind === "NodeClaim"
          ? migrateClaimToV1beta1(resource, kubelet)
          : migrateClassToV1beta1(resource);
    findings.push(...outcome.findings);
    return { resource, value: outcome.value, kubeletFrom: from, split: [] };
  });
  if (!hasErrors(findings)) findings.push(...unusedKubelets(later, plan.value));
  return { value, findings };
}

/** Settings of a class move to the pools that use it; without a pool they would be lost. */
function unusedKubelets(objects: readonly KarpenterObject[], { classes, kubelets }: KubeletPlan): Finding[] {
  const used = new Set([...classes.keys(), ...[...kubelets.values()].map(({ from }) => from?.resource)]);
  return objects.flatMap(({ kind, resource }) => {
    const settings = fieldsOf(valueAt(resource.value, ["spec", "kubelet"]));
    if (kind !== "EC2NodeClass" || Object.keys(settings).length === 0 || used.has(resource)) return [];
    const message = ": v1beta1 has kubelet settings in the NodePool, but no pool in the input uses this class";
    const hint = "add its NodePools to the input";
    return [noteOn(resource, "migrate-refused", ["spec", "kubelet"], message, hint)];
  });
}
