/** What nodes come for a wrapper that names labels, under the entries of one policy. */
import { includesType, isNone, type TypeMask, without } from "../../../karpenter/catalogue/type-mask.ts";
import { canInventValue } from "../../../karpenter/requirements/invented-value.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { admitsAbsence, has, type Requirement, requirementOf } from "../../../karpenter/requirements/requirement.ts";
import { addRequirements, mergedByKey, type Requirements } from "../../../karpenter/requirements/requirements.ts";
import type { EffectivePolicy } from "../../../resolve/policy.ts";
import { refusedKeys } from "../../explain/refused-claim.ts";
import { type Market, shortfallOf, typesOf } from "../../explain/remaining-types.ts";

/** A policy's entries by label key, and the instance types that it is asked about. */
export interface PolicyTerms {
  readonly merged: Requirements;
  readonly market: Market;
}

/** Undefined: the label is absent. */
export type LabelValue = string | undefined;

/** A label that a wrapper names: one of these values, or that it is absent where there are none. */
export interface Asked {
  readonly key: string;
  readonly values: readonly string[];
}

/** Its root volume is not looked at. */
export function termsOf(policy: EffectivePolicy, market: Market): PolicyTerms {
  return { merged: mergedByKey(policy.requirements.map(requirementOf)), market };
}

/** Whether the policy's own entries admit nodes with this label. @param requirement undefined where it has none of the key */
export function admits(requirement: Requirement | undefined, value: LabelValue): boolean {
  if (requirement === undefined) return true;
  return value === undefined ? admitsAbsence(requirement) : has(requirement, value);
}

/** Of what is asked for, never what Karpenter starts in its place (docs/upstream/karpenter.md#absent-labels). */
export function typesAdmitted(terms: PolicyTerms, asked: readonly Asked[]): TypeMask {
  const { merged, market } = terms;
  const { filter } = market;
  const together = withAsked(terms, asked);
  const lethal = [...together.values()].some(
    (one) => labelPresence(one.key, filter.catalogue) === "custom" && !canInventValue(one),
  );
  const meant = asked.every(({ key, values }) => valuesOrAbsence(values).some((one) => admits(merged.get(key), one)));
  return lethal || !meant ? without(filter.all, filter.all) : typesOf(together, NO_CLASS, filter);
}

/** Those that minValues let come as well. */
export function typesLaunched(terms: PolicyTerms, asked: readonly Asked[]): TypeMask {
  const { market } = terms;
  const types = typesAdmitted(terms, asked);
  const together = withAsked(terms, asked);
  const kept =
    refusedKeys(types, together, NO_CLASS, market.filter.catalogue).size > 0 ||
    shortfallOf(types, together, NO_CLASS, market).size > 0;
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

/** Whether it lets any node come at all. */
export function letsNodesCome(terms: PolicyTerms): boolean {
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

/** What a node class needs is no part of a policy. */
const NO_CLASS: Requirements = new Map();
