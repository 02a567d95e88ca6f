/** What everybody's demands on one label key come to, merged as Karpenter does. */
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../karpenter/requirements/requirement.ts";
import { type MergedKey, mergeKey } from "../karpenter/requirements/merged-key.ts";
import type { Demand } from "./demands.ts";

/** The sides are told apart: template labels are the user's. @param known what a catalogue tells of labels */
export function mergeDemands(key: string, group: readonly Demand[], known?: KnownLabels): MergedKey {
  const policy: Requirement[] = [];
  const user: Requirement[] = [];
  let label: string | undefined;
  for (const { from, requirement } of group) {
    if (from === "policy") policy.push(requirement);
    else if (from === "user") user.push(requirement);
    else if (from === "label") label ??= [...requirement.values][0];
  }
  return mergeKey(key, { policy, user, label }, known);
}
