/** Refuses or removes Karpenter's own keys in the template of a wrapper. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { effectOf, reservedAnnotations, reservedLabels } from "../model/requirements/reserved-keys.ts";
import type { Settings } from "./settings.ts";

const METADATA: FieldPath = ["spec", "template", "metadata"];
export const ANNOTATIONS: FieldPath = [...METADATA, "annotations"];

/**
 * The wrapper to render. With `onBypass: Block` it has none of these keys, so that no user can keep an older policy on
 * a pool by adding one. The schema of the kind refuses reserved labels otherwise.
 */
export function withoutReservedKeys(wrapper: Resource, { onBypass }: Pick<Settings, "onBypass">): Outcome<Resource> {
  const metadata = valueAt(wrapper.value, METADATA);
  const annotations = reservedAnnotations(valueAt(metadata, ["annotations"]));
  if (onBypass === "Fail") {
    const findings = annotations.map((key): Finding => {
      const message = `${describeResource(wrapper)}: a template must not have the annotation ${key}: ${effectOf(key)}`;
      return findingAt("template-key-refused", wrapper, [...ANNOTATIONS, key], { message, hint: REMOVE_KEY });
    });
    return { value: wrapper, findings };
  }
  const reserved = { labels: reservedLabels(valueAt(metadata, ["labels"])), annotations };
  const findings = (["labels", "annotations"] as const).flatMap((field) =>
    reserved[field].map((key) => {
      const message = `${describeResource(wrapper)}: the ${field.slice(0, -1)} ${key} is removed from the template: ${effectOf(key)}`;
      return findingAt("template-key-left-out", wrapper, [...METADATA, field, key], { message, hint: REMOVE_KEY });
    }),
  );
  return { value: findings.length === 0 ? wrapper : without(wrapper, reserved), findings };
}

export const REMOVE_KEY = "remove it from the template";

function without(wrapper: Resource, reserved: Readonly<Record<string, readonly string[]>>): Resource {
  const value = structuredClone(wrapper.value);
  for (const [field, keys] of Object.entries(reserved)) {
    const map = valueAt(value, [...METADATA, field]) as Record<string, unknown> | undefined;
    for (const key of keys) delete map![key];
  }
  return { ...wrapper, value };
}
