/** Migrates Karpenter's objects to another version and reports what is lost or new. */
import { listOf } from "../karpenter/conversion/plain-fields.ts";
import { foreignConditionFields } from "../karpenter/conversion/convert-status.ts";
import { valueAt } from "../krm/field-path.ts";
import { type Finding, findingOnInput, type Outcome } from "../krm/finding.ts";
import { sameValue } from "../krm/same-value.ts";
import type { Resource } from "../krm/resource.ts";
import { karpenterType, type KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import { deprecatedMarks } from "./deprecated-marks.ts";
import { migrateAsWebhook } from "./migrate-as-webhook.ts";
import { migrateToV1 } from "./migrate-to-v1.ts";
import { migrateToV1beta1 } from "./migrate-to-v1beta1.ts";
import { type KarpenterObject, type MigrateOptions, type Migration, noteOn } from "./migration.ts";

/** Returns only objects that change. */
export function migrate(resources: readonly Resource[], options: MigrateOptions): Outcome<Migration[]> {
  const objects = resources.flatMap((resource): KarpenterObject[] => {
    const type = karpenterType(resource);
    return type === undefined ? [] : [{ resource, ...type }];
  });
  if (objects.length === 0) return { value: [], findings: [nothing(options.to)] };
  const migrating = options.compat ? migrateAsWebhook : options.to === "v1" ? migrateToV1 : migrateToV1beta1;
  const { value, findings } = migrating(objects, options);
  const changed = value.filter(({ resource, value, split }) => split.length > 0 || !sameValue(value, resource.value));
  const marks = options.to === "v1" ? deprecatedMarks(resources) : [];
  const converted = objects.filter(({ version }) => version !== options.to).map(({ resource }) => resource);
  const all: Finding[] = [...findings, ...converted.flatMap(lostConditions), ...marks];
  if (changed.length === 0 && all.every(({ severity }) => severity !== "error")) all.push(nothing(options.to));
  return { value: changed, findings: all };
}

function nothing(to: KarpenterVersion): Finding {
  const message = `the input has no NodePool, NodeClaim or EC2NodeClass in another version than ${to}: there is nothing to migrate`;
  return findingOnInput("migrate-nothing", { message });
}

/**
 * Conditions with fields of Knative (`severity`), which Kubernetes does not have; at most one finding for each object.
 */
function lostConditions(resource: Resource): Finding[] {
  const conditions = listOf(valueAt(resource.value, ["status", "conditions"]));
  const index = conditions.findIndex((condition) => foreignConditionFields(condition).length > 0);
  const names = new Set(conditions.flatMap(foreignConditionFields));
  if (index === -1) return [];
  const message = `: ${[...names].join(", ")} of status.conditions is dropped: conditions now have the schema of Kubernetes`;
  return [noteOn(resource, "migrate-lossy", ["status", "conditions", index], message)];
}
