/** Migrates Karpenter's objects to another version and reports what is lost or new. */
import { fieldsOf, listOf } from "../krm/values/fields.ts";
import { foreignConditionFields } from "../karpenter/conversion/convert-status.ts";
import { type FieldPath, valueAt } from "../krm/places/field-path.ts";
import { type Finding, findingOnInput, type Outcome } from "../krm/findings/finding.ts";
import { sameValue } from "../krm/values/canonical.ts";
import type { Resource } from "../krm/places/resource.ts";
import { isNodeClass } from "../model/objects/input-mode.ts";
import { kindNotServed } from "../model/objects/role.ts";
import { karpenterType, type KarpenterVersion } from "../karpenter/conversion/karpenter-type.ts";
import { classKindMeant } from "../karpenter/provider/providers.ts";
import { migrateAsWebhook } from "./migrate-as-webhook.ts";
import { migrateToV1 } from "./migrate-to-v1.ts";
import { migrateToV1beta1 } from "./migrate-to-v1beta1.ts";
import { type KarpenterObject, type MigrateOptions, type Migration, noteOn } from "./migration.ts";

const ANNOTATIONS = ["karpenter.sh/do-not-consolidate", "karpenter.sh/do-not-evict"];

/** The object itself, and its pod templates. */
const TEMPLATES: readonly FieldPath[] = [[], ["spec", "template"], ["spec", "jobTemplate", "spec", "template"]];

/** Returns only objects that change. */
export function migrate(resources: readonly Resource[], options: MigrateOptions): Outcome<Migration[]> {
  const classes = resources.filter(isNodeClass);
  const objects = resources.flatMap((resource): KarpenterObject[] => {
    const type = karpenterType(resource);
    return type === undefined ? [] : [{ resource, ...type, meant: classKindMeant(resource, classes) }];
  });
  const refused = resources.flatMap((resource) => kindNotServed(resource) ?? []);
  if (objects.length === 0) return { value: [], findings: refused.length > 0 ? refused : [nothing(options.to)] };
  const migrating = options.compat ? migrateAsWebhook : options.to === "v1" ? migrateToV1 : migrateToV1beta1;
  const { value, findings } = migrating(objects, options);
  const changed = value.filter(({ resource, value, split }) => split.length > 0 || !sameValue(value, resource.value));
  const marks = options.to === "v1" ? deprecatedMarks(resources) : [];
  const converted = objects.filter(({ version }) => version !== options.to).map(({ resource }) => resource);
  const all: Finding[] = [...refused, ...findings, ...converted.flatMap(lostConditions), ...marks];
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

/** Marks on workloads and on nodes (docs/upstream/karpenter.md#nodepools-of-v1beta1). */
function deprecatedMarks(resources: readonly Resource[]): Finding[] {
  return resources.flatMap((resource) =>
    TEMPLATES.flatMap((template) => [...annotations(resource, template), ...tolerations(resource, template)]),
  );
}

function annotations(resource: Resource, template: FieldPath): Finding[] {
  const path = [...template, "metadata", "annotations"];
  const given = fieldsOf(valueAt(resource.value, path));
  return ANNOTATIONS.filter((key) => given[key] !== undefined).map((key) => {
    const message = `: Karpenter v1 ignores the annotation ${key}; anp keeps it`;
    const hint = 'use karpenter.sh/do-not-disrupt: "true", which blocks all voluntary disruption';
    return noteOn(resource, "annotation-deprecated", [...path, key], message, hint);
  });
}

/** The taint on nodes that Karpenter is about to remove has another name in v1. */
function tolerations(resource: Resource, template: FieldPath): Finding[] {
  const path = [...template, "spec", "tolerations"];
  return listOf(valueAt(resource.value, path)).flatMap((toleration, index) => {
    if (fieldsOf(toleration)["key"] !== "karpenter.sh/disruption") return [];
    const message =
      ": v1 taints nodes before removal with karpenter.sh/disrupted:NoSchedule, not with karpenter.sh/disruption";
    const hint = "also tolerate karpenter.sh/disrupted";
    return [noteOn(resource, "migrate-behaves-differently", [...path, index], message, hint)];
  });
}
