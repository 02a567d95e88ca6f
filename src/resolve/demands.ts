/** What a pool asks of the labels of its nodes, and who asks for it where: one demand an entry. */
import { type Requirement, requirementOf } from "../karpenter/requirements/requirement.ts";
import type { FieldPath } from "../krm/field-path.ts";
import { oncePerObject } from "../model/once.ts";
import { splitAtPolicyEnd } from "../model/policy-end.ts";
import type { Resource } from "../krm/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import type { Place } from "./origin.ts";
import { type EffectivePolicy, NO_POLICY, POLICY_REQUIREMENTS } from "./policy.ts";
import { placeOfNodeLabel, type Settings } from "./settings.ts";

export interface Demand {
  /** `label`: a label of the node template. `class`: what the node class needs. */
  readonly from: "policy" | "user" | "label" | "class";
  readonly place: Place;
  readonly requirement: Requirement;
}

/** A demand of which nobody has to know the place. */
export interface AskedRequirement {
  /** Undefined where nobody can tell. */
  readonly from: Demand["from"] | undefined;
  readonly requirement: Requirement;
}

const REQUIREMENTS: FieldPath = ["spec", "template", "spec", "requirements"];
const LABELS: FieldPath = ["spec", "template", "metadata", "labels"];

/**
 * Policy entries in their order, then the user's, then the labels.
 *
 * @param labels the template labels of the pool: each counts as `In [value]`
 * (docs/upstream/karpenter.md#requirements-of-a-pool)
 * @param settings which labels stand in a RenderConfig
 */
export function demandsOf(
  wrapper: Resource,
  own: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
  policy: EffectivePolicy,
  settings?: Settings,
): Demand[] {
  const ofUser = own.map((entry, index): Demand => ({
    from: "user",
    place: { resource: wrapper, path: [...REQUIREMENTS, index] },
    requirement: requirementOf(entry),
  }));
  const ofLabels = Object.entries(labels).map(([key, value]): Demand => ({
    from: "label",
    place: (settings && placeOfNodeLabel(settings, key)) ?? { resource: wrapper, path: [...LABELS, key] },
    requirement: requirementOf({ key, operator: "In", values: [value] }),
  }));
  return [...demandsOfPolicy(policy), ...ofUser, ...ofLabels];
}

/** The same for all pools: what is known of one of these requirements need not be found again for each pool. */
const demandsOfPolicy = oncePerObject(({ resource, requirements }: EffectivePolicy): readonly Demand[] =>
  resource === undefined
    ? []
    : requirements.map((entry, index) => ({
        from: "policy",
        place: { resource, path: [...POLICY_REQUIREMENTS, index] },
        requirement: requirementOf(entry),
      })),
);

/**
 * Of a pool as it stands. What a guard has put above its mark is the policy's, at its place in the pool
 * (docs/design.md#policy-by-admission).
 */
export function demandsOfRaw(
  pool: Resource,
  entries: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
): Demand[] {
  const all = demandsOf(pool, entries, labels, NO_POLICY);
  const { front } = splitAtPolicyEnd(entries);
  if (front === undefined) return all;
  return all.flatMap((demand, index): Demand[] => {
    if (index === front.length) return [];
    return [index < front.length ? { ...demand, from: "policy" } : demand];
  });
}
