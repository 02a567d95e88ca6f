/** Conditions with fields of Knative (`severity`), which Kubernetes' own do not have. */
import { valueAt } from "../krm/field-path.ts";
import type { Finding } from "../krm/finding.ts";
import type { Resource } from "../krm/resource.ts";
import { foreignConditionFields } from "../karpenter/conversion/convert-status.ts";
import { listOf } from "../karpenter/conversion/plain-fields.ts";
import { noteOn } from "./migration.ts";

/** At most one finding an object. */
export function lostConditions(resource: Resource): Finding[] {
  const conditions = listOf(valueAt(resource.value, ["status", "conditions"]));
  const index = conditions.findIndex((condition) => foreignConditionFields(condition).length > 0);
  const names = new Set(conditions.flatMap(foreignConditionFields));
  if (index === -1) return [];
  const message = `: ${[...names].join(", ")} of status.conditions is left out: conditions have the schema of Kubernetes now`;
  return [noteOn(resource, "migrate-lossy", ["status", "conditions", index], message)];
}
