/** Lists the requirements on a pool's nodes with source and place, and merges those of one key. */
import { type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { memoizeByObject } from "../model/schema/memoize.ts";
import { splitAtPolicyEnd } from "../model/requirements/policy-end.ts";
import type { Resource } from "../krm/places/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import type { Place } from "./origin.ts";
import { type EffectivePolicy, NO_POLICY, POLICY_REQUIREMENTS } from "./policy.ts";
import { placeOfNodeLabel, type Settings } from "./settings.ts";
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import { type KeySides, type MergedKey, mergeKey } from "../karpenter/requirements/merged-key.ts";

export interface PoolRequirement {
  /** `label`: a label of the node template. `class`: a requirement of the node class. */
  readonly from: "policy" | "user" | "label" | "class";
  readonly place: Place;
  readonly requirement: Requirement;
}

/** A demand without its place. */
export interface AskedRequirement {
  /** Undefined if unknown. */
  readonly from: PoolRequirement["from"] | undefined;
  readonly requirement: Requirement;
}

/** The path of an object's requirements. */
export function requirementsPath({ kind }: Resource): FieldPath {
  return kind === "NodeClaim" ? ["spec", "requirements"] : ["spec", "template", "spec", "requirements"];
}

function labelsPath({ kind }: Resource): FieldPath {
  return kind === "NodeClaim" ? ["metadata", "labels"] : ["spec", "template", "metadata", "labels"];
}

/**
 * Policy entries in their order, then the user's, then the labels.
 *
 * @param labels the template labels of the pool: each counts as `In [value]`
 * (docs/upstream/karpenter.md#requirements-of-a-pool)
 * @param settings to find labels that a RenderConfig sets
 * @param indexes of `own` in the list as written, if it is a part of that
 */
export function poolRequirements(
  wrapper: Resource,
  own: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
  policy: EffectivePolicy,
  settings?: Settings,
  indexes: readonly number[] = [...own.keys()],
): PoolRequirement[] {
  const path = requirementsPath(wrapper);
  const ofUser = own.map((entry, index): PoolRequirement => ({
    from: "user",
    place: { resource: wrapper, path: [...path, indexes[index]!] },
    requirement: requirementOf(entry),
  }));
  const ofLabels = Object.entries(labels).map(([key, value]): PoolRequirement => ({
    from: "label",
    place: (settings && placeOfNodeLabel(settings, key)) ?? { resource: wrapper, path: [...labelsPath(wrapper), key] },
    requirement: requirementOf({ key, operator: "In", values: [value] }),
  }));
  return [...requirementsOfPolicy(policy), ...ofUser, ...ofLabels];
}

/** Memoized, so that all pools share the same requirement objects and what is computed from them. */
const requirementsOfPolicy = memoizeByObject(
  ({ resource, requirements }: EffectivePolicy): readonly PoolRequirement[] =>
    resource === undefined
      ? []
      : requirements.map((entry, index) => ({
          from: "policy",
          place: { resource, path: [...POLICY_REQUIREMENTS, index] },
          requirement: requirementOf(entry),
        })),
);

/**
 * The demands of a raw pool. Entries that a guard has put above its mark count as the policy's, at their place in the
 * pool (docs/design.md#policy-by-admission).
 */
export function rawPoolRequirements(
  pool: Resource,
  entries: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): PoolRequirement[] {
  const all = poolRequirements(pool, entries, labels, NO_POLICY);
  const { front } = splitAtPolicyEnd(entries);
  if (front === undefined) return all;
  return all.flatMap((demand, index): PoolRequirement[] => {
    if (index === front.length) return [];
    return [index < front.length ? { ...demand, from: "policy" } : demand];
  });
}

/**
 * Template labels count as the user's.
 *
 * @param known the labels that a catalogue knows
 */
export function mergeGroup(
  key: string,
  group: readonly PoolRequirement[],
  of: Pick<KeySides, "isStatic" | "ofClass">,
  known?: KnownLabels,
): MergedKey {
  const policy: Requirement[] = [];
  const user: Requirement[] = [];
  let label: string | undefined;
  for (const { from, requirement } of group) {
    if (from === "policy") policy.push(requirement);
    else if (from === "user") user.push(requirement);
    else if (from === "label") label ??= [...requirement.values][0];
  }
  return mergeKey(key, { ...of, policy, user, label }, known);
}
