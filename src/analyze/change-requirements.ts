/** What a change of requirements does to the nodes a pool has: the entries before and after in, an effect for each key out. */
import { labelPresence } from "../karpenter/label-presence.ts";
import { admitsAbsence, has, intersection, isEmpty, type Requirement } from "../karpenter/requirement.ts";
import { requirementsOf } from "../karpenter/requirements.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { canonical } from "./compare-canonical.ts";
import type { Effect } from "./change-effect.ts";

/**
 * By normalised key. A node drifts (RequirementsDrifted) when its labels no longer meet the requirements; those that
 * may be undefined at launch are not allowed for then (karpenter.md 1.8). Narrowing drifts the nodes that do not fit,
 * widening none, and where nothing of before is left, all.
 */
export function requirementEffects(
  from: readonly NodeSelectorRequirement[],
  to: readonly NodeSelectorRequirement[],
): ReadonlyMap<string, Effect> {
  const [old, now] = [requirementsOf(from), requirementsOf(to)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return new Map([...keys].map((key) => [key, effectOf(key, old.get(key), now.get(key))]));
}

function effectOf(key: string, old: Requirement | undefined, now: Requirement | undefined): Effect {
  if (canonical(formOf(old)) === canonical(formOf(now))) return "none";
  if (now === undefined) return "new-nodes";
  const mayBeAbsent = labelPresence(key) !== "always";
  const before = old ?? { key, complement: true, values: new Set<string>() };
  const lacking = mayBeAbsent && (old === undefined || admitsAbsence(old));
  if (admitsAll(before, now) && (!lacking || admitsAbsence(now))) return "new-nodes";
  const stays = !isEmpty(intersection(before, now)) || (lacking && admitsAbsence(now));
  return stays ? "replaces-some" : "replaces-all";
}

function formOf(requirement: Requirement | undefined): unknown {
  return requirement && { ...requirement, values: [...requirement.values].toSorted() };
}

/** As many numbers of a range are looked at one by one. */
const MAX_RANGE = 10_000n;

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
