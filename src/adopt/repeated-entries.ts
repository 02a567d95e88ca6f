/** Hints at requirements of a pool that add nothing, because the policy says them already. */
import {
  intersection,
  type Requirement,
  requirementOf,
  formatRequirement,
} from "../karpenter/requirements/requirement.ts";
import { type Finding, findingAt } from "../krm/finding.ts";
import { locationOf } from "../krm/location.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import type { NodeSelectorRequirement } from "../model/requirement.ts";
import { demandsOf } from "../resolve/demands.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";

/** @param before how many entries of the pool's list stand before these */
export function repeatedEntries(
  raw: Resource,
  entries: readonly NodeSelectorRequirement[],
  policy: EffectivePolicy,
  before: number,
): Finding[] {
  const demands = demandsOf(raw, entries, {}, policy);
  return entries.flatMap((entry, index) => {
    const own = requirementOf(entry);
    const ofPolicy = demands.filter(({ from, requirement }) => from === "policy" && requirement.key === own.key);
    const [first, ...others] = ofPolicy;
    if (first === undefined) return [];
    const said = others.reduce((merged, { requirement }) => intersection(merged, requirement), first.requirement);
    if (!isSame(said, intersection(said, own))) return [];
    const places = ofPolicy.map(({ place }) => locationOf(place.resource, place.path)).join(", ");
    const message = `${describeResource(raw)}: the policy says \`${formatRequirement(said)}\` on ${own.key} already (${places}), so this entry adds nothing`;
    const hint = "take it out of the wrapper, unless the pool shall keep it when the policy changes";
    return [
      findingAt("adopt-repeats-policy", raw, ["spec", "template", "spec", "requirements", before + index], {
        message,
        hint,
      }),
    ];
  });
}

function isSame(a: Requirement, b: Requirement): boolean {
  const bounds = a.gte === b.gte && a.lte === b.lte && a.minValues === b.minValues;
  return bounds && a.complement === b.complement && a.values.symmetricDifference(b.values).size === 0;
}
