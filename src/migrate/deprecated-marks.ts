/** Reports annotations and tolerations of v1beta1 that Karpenter v1 ignores. */
import { type FieldPath, valueAt } from "../krm/field-path.ts";
import type { Finding } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { fieldsOf, listOf } from "../karpenter/conversion/plain-fields.ts";
import { noteOn } from "./migration.ts";

const ANNOTATIONS = ["karpenter.sh/do-not-consolidate", "karpenter.sh/do-not-evict"];

/** The object itself, and its pod templates. */
const TEMPLATES: readonly FieldPath[] = [[], ["spec", "template"], ["spec", "jobTemplate", "spec", "template"]];

/** Marks on workloads and on nodes (docs/upstream/karpenter.md#nodepools-of-v1beta1). */
export function deprecatedMarks(resources: readonly Resource[]): Finding[] {
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
