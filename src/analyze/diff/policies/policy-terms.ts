/** The nodes that a wrapper with given labels gets under one policy. */
import { includesType, isNone, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { canGenerateValue } from "../../../karpenter/requirements/generated-value.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { admitsAbsence, has, type Requirement, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { addRequirements, mergedByKey, type Requirements } from "../../../karpenter/requirements/requirements.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import { refusedKeys } from "../../explain/refused-claim.ts";
import { typesOf } from "../../../karpenter/catalogue/type-filter.ts";
import { type InstanceTypes, shortfallOf } from "../../explain/remaining-types.ts";

/** The entries of a policy by label key, with the instance types to judge by. */
export interface PolicyTerms {
  readonly merged: Requirements;
  readonly knownTypes: InstanceTypes;
}

/** Undefined: the label is absent. */
export type LabelValue = string | undefined;

/** A label requirement of a wrapper: one of these values, or absence if there are none. */
export interface Asked {
  readonly key: string;
  readonly values: readonly string[];
}

/** The root volume is not considered. */
export function termsOf(policy: EffectivePolicy, knownTypes: InstanceTypes): PolicyTerms {
  return { merged: mergedByKey(policy.requirements.map(requirementOf)), knownTypes };
}

/**
 * Whether an entry of the policy admits nodes with this label.
 *
 * @param requirement undefined if the policy has no entry for the key
 */
export function admits(requirement: Requirement | undefined, value: LabelValue): boolean {
  if (requirement === undefined) return true;
  return value === undefined ? admitsAbsence(requirement) : has(requirement, value);
}

/**
 * The types that match the request as meant. Types that Karpenter may start instead are not included
 * (docs/upstream/karpenter.md#absent-labels).
 */
export function typesAdmitted(terms: PolicyTerms, asked: readonly Asked[]): TypeMask {
  const { merged, knownTypes } = terms;
  const { filter } = knownTypes;
  const together = withAsked(terms, asked);
  const crashes = [...together.values()].some(
    (one) => labelPresence(one.key, filter.catalogue) === "custom" && !canGenerateValue(one),
  );
  const meant = asked.every(({ key, values }) => valuesOrAbsence(values).some((one) => admits(merged.get(key), one)));
  return crashes || !meant ? without(filter.all, filter.all) : typesOf(together, NO_CLASS, filter);
}

/** The admitted types, or none if minValues prevents the launch. */
export function typesLaunched(terms: PolicyTerms, asked: readonly Asked[]): TypeMask {
  const { knownTypes } = terms;
  const types = typesAdmitted(terms, asked);
  const together = withAsked(terms, asked);
  const kept =
    refusedKeys(types, together, NO_CLASS, knownTypes.filter.catalogue).size > 0 ||
    shortfallOf(types, together, NO_CLASS, knownTypes).size > 0;
  return kept ? without(types, types) : types;
}

/** Whether the wrapper gets nodes of the type that have the label. */
export function getsNode(
  terms: PolicyTerms,
  asked: readonly Asked[],
  { type, key, value }: { readonly type: number; readonly key?: string | undefined; readonly value?: LabelValue },
): boolean {
  const labelled = key === undefined || admits(terms.merged.get(key), value);
  return labelled && includesType(typesLaunched(terms, asked), type);
}

/** Whether the policy admits any node. */
export function admitsAnyNode(terms: PolicyTerms): boolean {
  return !isNone(typesLaunched(terms, []));
}

function withAsked({ merged }: PolicyTerms, asked: readonly Asked[]): Requirements {
  return addRequirements(merged, mergedByKey(asked.map(requirementOfAsked)));
}

function requirementOfAsked({ key, values }: Asked): Requirement {
  return requirementOf(values.length === 0 ? { key, operator: "DoesNotExist" } : { key, operator: "In", values });
}

function valuesOrAbsence(values: readonly string[]): readonly LabelValue[] {
  return values.length === 0 ? [undefined] : values;
}

/** The requirements of node classes are not part of a policy. */
const NO_CLASS: Requirements = new Map();
