/** What a change of requirements does to the nodes that a pool has, key by key. */
import { admitsAbsence, has, intersection, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { canonical } from "../../krm/canonical.ts";
import type { Effect } from "./change-effect.ts";
import { type AskedLabels, type LabelOfNodes, labelOfNodes } from "../explain/label-of-nodes.ts";

/** Of the requirements of a pool that are others than before. */
export interface RequirementEffects {
  /** By normalised key. */
  readonly byKey: ReadonlyMap<string, Effect>;
  /** Of all of them together: two that each leave some nodes may leave none. */
  readonly together: Effect;
  /** `catalogue`: of the instance types that it knows; nodes of another type may fare otherwise. */
  readonly scope: "always" | "catalogue";
}

/**
 * Whatever instance types there are. A node drifts (RequirementsDrifted) when its labels no longer meet the requirements;
 * a label that it lacks meets none but `NotIn` and `DoesNotExist`, whoever knows the key (areRequirementsDrifted in
 * Karpenter's pkg/controllers/nodeclaim/disruption/drift.go). So what counts is which labels the nodes of before may have.
 */
export function requirementEffects(from: AskedLabels, to: AskedLabels): RequirementEffects {
  const keys = new Set([...from.requirements.keys(), ...to.requirements.keys()]);
  const byKey = new Map([...keys].map((key) => [key, effectOf(key, from, to)]));
  return { byKey, together: "none", scope: "always" };
}

function effectOf(key: string, from: AskedLabels, to: AskedLabels): Effect {
  const { all, some } = whoStays(labelOfNodes(key, from), to.requirements.get(key));
  if (!all) return some ? "replaces-some" : "replaces-all";
  return isSameLabel(key, from, to) ? "none" : "new-nodes";
}

/** Of nodes with such a label those that meet what is asked now. */
export interface Stays {
  readonly all: boolean;
  readonly some: boolean;
}

export function whoStays({ values, absent }: LabelOfNodes, asked: Requirement | undefined): Stays {
  if (asked === undefined) return { all: true, some: true };
  const lackingFits = admitsAbsence(asked);
  return {
    all: admitsAll(values, asked) && (!absent || lackingFits),
    some: admitsSome(values, asked) || (absent && lackingFits),
  };
}

/** Whether new nodes come with the label as before, from as many different values. */
export function isSameLabel(key: string, from: AskedLabels, to: AskedLabels): boolean {
  const minimum = (side: AskedLabels) => side.requirements.get(key)?.minValues;
  const form = (side: AskedLabels) => canonical(formOf(labelOfNodes(key, side)));
  return form(from) === form(to) && minimum(from) === minimum(to);
}

function formOf({ values: { key: _key, minValues: _minimum, values, ...rest }, absent }: LabelOfNodes) {
  return { ...rest, values: [...values].toSorted(), absent };
}
/** As many numbers of a range are looked at one by one. */
const MAX_RANGE = 10_000n;

function admitsSome(old: Requirement, now: Requirement): boolean {
  const both = intersection(old, now);
  return both.complement ? listed(both)?.length !== 0 : both.values.size > 0;
}

/** Whether every value that `old` admits `now` admits too. */
function admitsAll(old: Requirement, now: Requirement): boolean {
  if (!old.complement) return [...old.values].every((value) => has(now, value));
  if (!now.complement) return listed(old)?.every((value) => has(now, value)) ?? false;
  const bounded =
    (now.gte === undefined || (old.gte !== undefined && old.gte >= now.gte)) &&
    (now.lte === undefined || (old.lte !== undefined && old.lte <= now.lte));
  return bounded && [...now.values].every((value) => !has(old, value));
}

/** The numbers of a range with both ends, as labels write them. */
function listed({ gte, lte, values }: Requirement): string[] | undefined {
  if (gte === undefined || lte === undefined || lte - gte > MAX_RANGE) return undefined;
  const numbers: string[] = [];
  for (let number = gte; number <= lte; number++) numbers.push(String(number));
  return numbers.filter((number) => !values.has(number));
}
