/** Reports requirements of a pool that repeat the policy. */
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
import { poolRequirements } from "../resolve/pool-requirements.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";

/** @param before number of list entries before these */
export function repeatedEntries(
  raw: Resource,
  entries: readonly NodeSelectorRequirement[],
  policy: EffectivePolicy,
  before: number,
): Finding[] {
  const demands = poolRequirements(raw, entries, {}, policy);
  return entries.flatMap((entry, index) => {
    const own = requirementOf(entry);
    const ofPolicy = demands.filter(({ from, requirement }) => from === "policy" && requirement.key === own.key);
    const [first, ...others] = ofPolicy;
    if (first === undefined) return [];
    const merged = others.reduce((all, { requirement }) => intersection(all, requirement), first.requirement);
    if (!isSame(merged, intersection(merged, own))) return [];
    const places = ofPolicy.map(({ place }) => locationOf(place.resource, place.path)).join(", ");
    const message = `${describeResource(raw)}: the policy already requires \`${formatRequirement(merged)}\` on ${own.key} (${places}), so this entry adds nothing`;
    const hint = "remove it from the wrapper, unless the pool must keep it when the policy changes";
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
