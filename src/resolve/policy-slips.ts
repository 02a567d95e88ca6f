/** What a valid policy says without restricting anything, most likely by a slip. */
import { labelMeant } from "../karpenter/requirements/label-meant.ts";
import { policyMisfit } from "../karpenter/requirements/merged-key.ts";
import { normalizeKey } from "../karpenter/requirements/requirement.ts";
import { requirementsOf } from "../karpenter/requirements/requirements.ts";
import { type FieldPath, quotedField, samePath } from "../krm/field-path.ts";
import { type Finding, findingAt } from "../krm/finding.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { describeMisfit } from "./merge-words.ts";

/**
 * See docs/design.md#two-laws.
 *
 * @param at where the entries stand
 */
export function policySlips(
  policy: Resource,
  requirements: readonly NodeSelectorRequirement[],
  at: FieldPath,
): Finding[] {
  return [
    ...fieldsWithoutValue(policy.value["spec"], ["spec"], at).map((path) => withoutValue(policy, path)),
    ...requirements.flatMap((entry, index) => entrySlips(policy, entry, [...at, index])),
    ...leaks(policy, requirements, at),
  ];
}

/** As the API server does it, a field without a value counts as left out: so does one whose lines are commented out. */
function fieldsWithoutValue(value: unknown, path: FieldPath, except: FieldPath): FieldPath[] {
  // An empty list of requirements has a finding of its own.
  if (value === null) return samePath(path, except) ? [] : [path];
  if (typeof value !== "object" || value === undefined) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    fieldsWithoutValue(field, [...path, Array.isArray(value) ? Number(key) : key], except),
  );
}

function withoutValue(policy: Resource, path: FieldPath): Finding {
  const message = `${describeResource(policy)}: ${quotedField(path)} has no value and counts as left out`;
  return findingAt("policy-empty", policy, path, { message, hint: "give it a value, or remove the line" });
}

function entrySlips(policy: Resource, entry: NodeSelectorRequirement, path: FieldPath): Finding[] {
  const subject = `${describeResource(policy)}: ${quotedField(path)}`;
  const findings: Finding[] = [];
  if (entry.operator === "NotIn" && (entry.values ?? []).length === 0) {
    const message = `${subject} excludes no value, so it restricts nothing`;
    findings.push(findingAt("policy-empty", policy, path, { message, hint: "list the values to exclude" }));
  }
  const meant = labelMeant(entry.key);
  if (meant !== undefined) {
    const message = `${subject} is about ${entry.key}, which no instance type has: it restricts no instance type`;
    findings.push(
      findingAt("requirement-ignored", policy, [...path, "key"], { message, hint: `did you mean ${meant}?` }),
    );
  }
  return findings;
}

/** Entries that make Karpenter give nodes a label that they do not admit: no wrapper has a part in it. */
function leaks(policy: Resource, requirements: readonly NodeSelectorRequirement[], at: FieldPath): Finding[] {
  return [...requirementsOf(requirements).values()].flatMap((merged) => {
    const misfit = policyMisfit(merged);
    if (misfit === undefined) return [];
    const last = requirements.findLastIndex(({ key }) => normalizeKey(key) === merged.key);
    const message = `${describeResource(policy)}: ${describeMisfit(merged, misfit)}, and the policy does not admit that: it does not hold there`;
    return [findingAt("drifts-forever", policy, [...at, last], { message, hint: "list the values with In" })];
  });
}
