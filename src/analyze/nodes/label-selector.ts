/** Matches labels against a label selector of Kubernetes. */
import { isFields } from "../../karpenter/conversion/plain-fields.ts";
import { valueAt } from "../../krm/field-path.ts";
import { textAt, textsAt } from "./node-pairs.ts";

/**
 * The same as LabelSelectorAsSelector of apimachinery: no selector selects nothing, an empty one everything. A value
 * that is not a selector selects nothing.
 */
export function selects(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  if (!isFields(selector)) return false;
  const wanted = Object.entries(textsAt(selector, ["matchLabels"]));
  const expressions = valueAt(selector, ["matchExpressions"]) ?? [];
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    Array.isArray(expressions) &&
    expressions.every((one) => meets(one, labels))
  );
}

function meets(expression: unknown, labels: Readonly<Record<string, string>>): boolean {
  const key = textAt(expression, ["key"]);
  const values: unknown = valueAt(expression, ["values"]) ?? [];
  if (key === undefined || !Array.isArray(values)) return false;
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (textAt(expression, ["operator"])) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
}
