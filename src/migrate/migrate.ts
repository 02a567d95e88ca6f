/** Karpenter's objects to another of their versions, with what is lost or new about each. */
import { listOf } from "../karpenter/conversion/plain-fields.ts";
import { foreignConditionFields } from "../karpenter/conversion/convert-status.ts";
import { valueAt } from "../krm/field-path.ts";
import { type Finding, findingOnInput, type Outcome } from "../krm/finding.ts";
import { sameValue } from "../krm/same-value.ts";
import type { Resource } from "../krm/resource.ts";
import type { Profile } from "../model/profile.ts";
import { karpenterType, type KarpenterVersion } from "../karpenter/conversion/convert-object.ts";
import { deprecatedMarks } from "./deprecated-marks.ts";
import { migrateAsWebhook } from "./migrate-as-webhook.ts";
import { migrateToV1 } from "./migrate-to-v1.ts";
import { migrateToV1beta1 } from "./migrate-to-v1beta1.ts";
import { type KarpenterObject, type Migration, noteOn } from "./migration.ts";

export interface MigrateOptions {
  readonly to: KarpenterVersion;
  /** As Karpenter's conversion webhook does it, with the annotations for the way back. */
  readonly compat: boolean;
  /** The Karpenter that v1 objects are for. */
  readonly profile: Profile;
}

/** Only what changes. */
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
  const message = `no NodePool, NodeClaim or EC2NodeClass was read that is not ${to} already: there is nothing to migrate`;
  return findingOnInput("migrate-nothing", { message });
}

/** Conditions with fields of Knative (`severity`), which Kubernetes' own do not have; at most one finding an object. */
function lostConditions(resource: Resource): Finding[] {
  const conditions = listOf(valueAt(resource.value, ["status", "conditions"]));
  const index = conditions.findIndex((condition) => foreignConditionFields(condition).length > 0);
  const names = new Set(conditions.flatMap(foreignConditionFields));
  if (index === -1) return [];
  const message = `: ${[...names].join(", ")} of status.conditions is left out: conditions have the schema of Kubernetes now`;
  return [noteOn(resource, "migrate-lossy", ["status", "conditions", index], message)];
}
