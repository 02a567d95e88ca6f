/** Reduces status conditions to the fields of Kubernetes, without those of Knative. */
import { type Fields, fieldsOf, isFields, withChanges } from "../../krm/values/fields.ts";

const FIELDS = ["type", "status", "observedGeneration", "lastTransitionTime", "reason", "message"];

/** Removes fields of Knative, such as `severity`. */
export function withUpstreamConditions(object: Fields): Fields {
  const status = fieldsOf(object["status"]);
  const { conditions } = status;
  if (!Array.isArray(conditions)) return object;
  const upstream = conditions.map((condition: unknown) => (isFields(condition) ? upstreamOnly(condition) : condition));
  return withChanges(object, { status: withChanges(status, { conditions: upstream }) });
}

/** The fields of a condition that are removed. */
export function foreignConditionFields(condition: unknown): readonly string[] {
  return Object.keys(fieldsOf(condition)).filter((name) => !FIELDS.includes(name));
}

function upstreamOnly(condition: Fields): Fields {
  return Object.fromEntries(Object.entries(condition).filter(([name]) => FIELDS.includes(name)));
}
