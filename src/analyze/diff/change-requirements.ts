/** What a change of requirements does to the nodes that a pool has, key by key. */
import { admitsAbsence, has, intersection, type Requirement } from "../../karpenter/requirements/requirement.ts";
import { canonical } from "../../krm/canonical.ts";
import type { Effect } from "./change-effect.ts";
import { type AskedLabels, labelOfNodes } from "../explain/label-of-nodes.ts";

/**
 * By normalised key. A node drifts (RequirementsDrifted) when its labels no longer meet the requirements; a label that
 * it lacks meets none but `NotIn` and `DoesNotExist`, whoever knows the key (areRequirementsDrifted in Karpenter's
 * pkg/controllers/nodeclaim/disruption/drift.go). So what counts is which labels the nodes of before may have.
 */
export function requirementEffects(from: AskedLabels, to: AskedLabels): ReadonlyMap<string, Effect> {
  const keys = new Set([...from.requirements.keys(), ...to.requirements.keys()]);
  return new Map([...keys].map((key) => [key, effectOf(key, from, to)]));
}

function effectOf(key: string, from: AskedLabels, to: AskedLabels): Effect {
  const asked = to.requirements.get(key);
  const old = labelOfNodes(key, from);
  if (asked !== undefined) {
    const lackingFits = admitsAbsence(asked);
    const allStay = admitsAll(old.values, asked) && (!old.absent || lackingFits);
    if (!allStay)
      return admitsSome(old.values, asked) || (old.absent && lackingFits) ? "replaces-some" : "replaces-all";
  }
  const now = labelOfNodes(key, to);
  const minimum = (side: AskedLabels) => side.requirements.get(key)?.minValues;
  const same = canonical(formOf(old)) === canonical(formOf(now)) && minimum(from) === minimum(to);
  return same ? "none" : "new-nodes";
}

function formOf({
  values: { key: _key, minValues: _minimum, values, ...rest },
  absent,
}: ReturnType<typeof labelOfNodes>) {
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
