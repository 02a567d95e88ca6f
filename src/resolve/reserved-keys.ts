/** Refuses or removes Karpenter's own keys in the template of a wrapper. */
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import { type FieldPath, valueAt } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { isUsersNodePool } from "../model/inputs/bundle.ts";
import { POLICY_END } from "../model/requirements/policy-end.ts";
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
  const marks = isUsersNodePool(wrapper) ? markLabels(wrapper) : [];
  if (onBypass === "Fail") {
    const findings = annotations.map((key): Finding => {
      const message = `${describeResource(wrapper)}: a template must not have the annotation ${key}: ${effectOf(key)}`;
      return findingAt("template-key-refused", wrapper, [...ANNOTATIONS, key], { message, hint: REMOVE_KEY });
    });
    return { value: wrapper, findings: [...findings, ...marks.map((key) => refusedMark(wrapper, key))] };
  }
  const reserved = { labels: [...reservedLabels(valueAt(metadata, ["labels"])), ...marks], annotations };
  const findings = (["labels", "annotations"] as const).flatMap((field) =>
    reserved[field].map((key) => {
      const message = `${describeResource(wrapper)}: the ${field.slice(0, -1)} ${key} is removed from the template: ${effectOf(key)}`;
      return findingAt("template-key-left-out", wrapper, [...METADATA, field, key], { message, hint: REMOVE_KEY });
    }),
  );
  return { value: findings.length === 0 ? wrapper : without(wrapper, reserved), findings };
}

/** A label with the key of the mark, which the mark itself excludes: the pool would get no nodes. */
export function markLabels({ value }: Resource): string[] {
  return valueAt(value, [...METADATA, "labels", POLICY_END]) === undefined ? [] : [POLICY_END];
}

export function refusedMark(pool: Resource, key: string): Finding {
  const message = `${describeResource(pool)}: a template must not have the label ${key}: ${effectOf(key)}`;
  return findingAt("template-key-refused", pool, [...METADATA, "labels", key], { message, hint: REMOVE_KEY });
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
