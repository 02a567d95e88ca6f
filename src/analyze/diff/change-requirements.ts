/** The effect of changed requirements on the nodes of a pool, key by key. */
import { admitsAbsence, has, intersection, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { canonical } from "../../krm/values/canonical.ts";
import type { Effect } from "./change-effect.ts";
import { type AskedLabels, type LabelOfNodes, labelOfNodes } from "../explain/label-of-nodes.ts";

/** The effects of the changed requirements of a pool. */
export interface RequirementEffects {
  /** By normalised key. */
  readonly byKey: ReadonlyMap<string, Effect>;
  /** The effect of all together: two that each keep some nodes may together keep none. */
  readonly together: Effect;
  /** `catalogue`: holds for the instance types of the catalogue; nodes of other types may behave differently. */
  readonly scope: "always" | "catalogue";
}

/**
 * Judges without instance types, by the labels that existing nodes may have. A node drifts (RequirementsDrifted) when
 * its labels no longer meet the requirements. A label that the node lacks meets only `NotIn` and `DoesNotExist`, even
 * if the key is well known (areRequirementsDrifted in Karpenter's pkg/controllers/nodeclaim/disruption/drift.go).
 */
export function requirementEffects(from: AskedLabels, to: AskedLabels): RequirementEffects {
  const keys = new Set([...from.requirements.keys(), ...to.requirements.keys()]);
  const byKey = new Map([...keys].map((key) => [key, effectOf(key, from, to)]));
  return { byKey, together: "none", scope: "always" };
}

function effectOf(key: string, from: AskedLabels, to: AskedLabels): Effect {
  const { all, some } = nodesThatStay(labelOfNodes(key, from), to.requirements.get(key));
  if (!all) return some ? "replaces-some" : "replaces-all";
  return isSameLabel(key, from, to) ? "none" : "new-nodes";
}

/** Whether all or some of a set of nodes meet the new requirements. */
export interface Stays {
  readonly all: boolean;
  readonly some: boolean;
}

export function nodesThatStay({ values, absent }: LabelOfNodes, asked: Requirement | undefined): Stays {
  if (asked === undefined) return { all: true, some: true };
  const lackingFits = admitsAbsence(asked);
  return {
    all: admitsAll(values, asked) && (!absent || lackingFits),
    some: admitsSome(values, asked) || (absent && lackingFits),
  };
}

/** Whether new nodes get the same label as before, with the same minValues. */
export function isSameLabel(key: string, from: AskedLabels, to: AskedLabels): boolean {
  const minimum = (side: AskedLabels) => side.requirements.get(key)?.minValues;
  const form = (side: AskedLabels) => canonical(formOf(labelOfNodes(key, side)));
  return form(from) === form(to) && minimum(from) === minimum(to);
}

function formOf({ values: { key: _key, minValues: _minimum, values, ...rest }, absent }: LabelOfNodes) {
  return { ...rest, values: [...values].toSorted(), absent };
}
/** The largest range of numbers that is checked one by one. */
const MAX_RANGE = 10_000n;

function admitsSome(old: Requirement, now: Requirement): boolean {
  const both = intersection(old, now);
  return both.complement ? listed(both)?.length !== 0 : both.values.size > 0;
}

/** Whether `now` admits every value that `old` admits. */
function admitsAll(old: Requirement, now: Requirement): boolean {
  if (!old.complement) return [...old.values].every((value) => has(now, value));
  if (!now.complement) return listed(old)?.every((value) => has(now, value)) ?? false;
  const bounded =
    (now.gte === undefined || (old.gte !== undefined && old.gte >= now.gte)) &&
    (now.lte === undefined || (old.lte !== undefined && old.lte <= now.lte));
  return bounded && [...now.values].every((value) => !has(old, value));
}

/** The numbers of a range with both bounds, as label values. */
function listed({ gte, lte, values }: Requirement): string[] | undefined {
  if (gte === undefined || lte === undefined || lte - gte > MAX_RANGE) return undefined;
  const numbers: string[] = [];
  for (let number = gte; number <= lte; number++) numbers.push(String(number));
  return numbers.filter((number) => !values.has(number));
}
