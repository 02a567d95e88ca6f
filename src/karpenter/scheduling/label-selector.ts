/** Whether a label selector of Kubernetes selects the labels of an object. */
import { valueAt } from "../../krm/places/field-path.ts";
import { textAt, textsAt } from "../../krm/places/text-at.ts";
import { isFields } from "../../krm/values/fields.ts";
import { memoizeByObject } from "../../model/schema/memoize.ts";

export type Labels = Readonly<Record<string, string>>;

/**
 * The same as LabelSelectorAsSelector of apimachinery: no selector selects nothing, an empty one everything. A value
 * that is not a selector selects nothing.
 */
export function selects(selector: unknown, labels: Labels): boolean {
  if (!isFields(selector)) return false;
  const wanted = wantedBy(selector);
  const expressions = valueAt(selector, ["matchExpressions"]) ?? [];
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    Array.isArray(expressions) &&
    expressions.every((one) => meets(one, labels))
  );
}

/** Kept, since a round asks the same selector about many pods. */
const wantedBy = memoizeByObject((selector: object) => Object.entries(textsAt(selector, ["matchLabels"])));

function meets(expression: unknown, labels: Labels): boolean {
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
