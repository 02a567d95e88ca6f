/** Finds a policy's entries that restrict nothing, and says why a label does not fit a policy. */
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import { labelSuggestion } from "../karpenter/requirements/label-presence.ts";
import { misfitOfPolicy } from "../karpenter/requirements/merged-key.ts";
import type { Misfit } from "../karpenter/requirements/node-label.ts";
import { formatRequirement, normalizeKey, type Requirement } from "../karpenter/requirements/requirement.ts";
import { requirementsOf } from "../karpenter/requirements/requirements.ts";
import { type Finding, findingAt } from "../krm/findings/finding.ts";
import { type FieldPath, quotedField, samePath } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { PLACEMENT_GROUP_PARTITION } from "../model/requirements/labels.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";

/**
 * See docs/design.md#two-laws.
 *
 * @param at path of the entries
 */
export function ineffectiveEntries(
  policy: Resource,
  requirements: readonly NodeSelectorRequirement[],
  at: FieldPath,
): Finding[] {
  return [
    ...fieldsWithoutValue(policy.value["spec"], ["spec"], at).map((path) => withoutValue(policy, path)),
    ...requirements.flatMap((entry, index) => ineffectiveEntry(policy, entry, [...at, index])),
    ...leaks(policy, requirements, at),
  ];
}

/** A field without a value counts as absent, as on the API server, such as one with all its lines commented out. */
function fieldsWithoutValue(value: unknown, path: FieldPath, except: FieldPath): FieldPath[] {
  // An empty list of requirements has a finding of its own.
  if (value === null) return samePath(path, except) ? [] : [path];
  if (typeof value !== "object" || value === undefined) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    fieldsWithoutValue(field, [...path, Array.isArray(value) ? Number(key) : key], except),
  );
}

function withoutValue(policy: Resource, path: FieldPath): Finding {
  const message = `${describeResource(policy)}: ${quotedField(path)} has no value and counts as absent`;
  return findingAt("policy-empty", policy, path, { message, hint: "give it a value, or remove the line" });
}

function ineffectiveEntry(policy: Resource, entry: NodeSelectorRequirement, path: FieldPath): Finding[] {
  const subject = `${describeResource(policy)}: ${quotedField(path)}`;
  const findings: Finding[] = [];
  if (entry.operator === "NotIn" && (entry.values ?? []).length === 0) {
    const message = `${subject} excludes no value, so it restricts nothing`;
    findings.push(findingAt("policy-empty", policy, path, { message, hint: "list the values to exclude" }));
  }
  const meant = labelSuggestion(entry.key);
  if (meant !== undefined) {
    const message = `${subject} has the key ${entry.key}, which no instance type has: it restricts no instance type`;
    findings.push(
      findingAt("requirement-ignored", policy, [...path, "key"], { message, hint: `did you mean ${meant}?` }),
    );
  }
  return findings;
}

/** Entries that make Karpenter set labels that the policy itself does not allow, independent of any wrapper. */
function leaks(policy: Resource, requirements: readonly NodeSelectorRequirement[], at: FieldPath): Finding[] {
  const all = requirementsOf(requirements);
  return [...all.values()].flatMap((merged) => {
    const misfit = misfitOfPolicy(merged, all);
    if (misfit === undefined) return [];
    const last = requirements.findLastIndex(({ key }) => normalizeKey(key) === merged.key);
    const message = `${describeResource(policy)}: ${describeMisfit(merged, misfit)}, but the policy does not allow that: the policy does not hold`;
    return [findingAt("drifts-forever", policy, [...at, last], { message, hint: hintForPolicy(merged) })];
  });
}

/** The value that Karpenter sets for a label without a template label, and the reason. */
export function describeMisfit(merged: Requirement, { value, always, label }: Misfit): string {
  const { key } = merged;
  const get = always ? "nodes get" : "some nodes get";
  if (value === undefined) return `${always ? "nodes" : "some nodes"} come without ${key}, because ${whyWithout(key)}`;
  if (label.from !== "instance")
    return `Karpenter generates a number for ${key} within \`${formatRequirement(merged)}\` and ignores excluded values, so ${get} ${value}`;
  if (key === PLACEMENT_GROUP_PARTITION)
    return `with a class in a partition placement group, Karpenter takes the partition from the values of \`${formatRequirement(merged)}\` on ${key}, even if they are excluded, and any partition if there are none, so ${get} ${value}`;
  return `a NodeClaim of a static pool has the bounds of \`${formatRequirement(merged)}\` on ${key}, but not the excluded values, so ${get} ${value}`;
}

export const PRESENCE_HINTS = {
  class: "refer to a class in the placement group; if there is none, remove the entry from the policy",
  offering: "list the values with In, or also require karpenter.sh/capacity-type In [reserved]",
};

/** A hint for a policy that does not hold by its own entries. */
function hintForPolicy({ key }: Requirement): string {
  const presence = labelPresence(key);
  return presence === "class" || presence === "offering" ? PRESENCE_HINTS[presence] : "list the values with In";
}

/** Why nodes can lack the label. */
export function whyWithout(key: string): string {
  switch (labelPresence(key)) {
    case "class":
      return "only a class with a placementGroupSelector sets it, and instance types of other classes match any requirement on it";
    case "offering":
      return "a pod with NotIn on it in its node affinity also gets capacity outside the reservations";
    default:
      return "Karpenter treats an empty value as absent";
  }
}
