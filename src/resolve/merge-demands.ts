/** Merges all demands on one label key as Karpenter does. */
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import type { Requirement } from "../karpenter/requirements/requirement.ts";
import { type KeySides, type MergedKey, mergeKey } from "../karpenter/requirements/merged-key.ts";
import type { PoolRequirement } from "./pool-requirements.ts";

/**
 * Template labels count as the user's.
 *
 * @param known the labels that a catalogue knows
 */
export function mergeGroup(
  key: string,
  group: readonly PoolRequirement[],
  of: Pick<KeySides, "isStatic" | "ofClass">,
  known?: KnownLabels,
): MergedKey {
  const policy: Requirement[] = [];
  const user: Requirement[] = [];
  let label: string | undefined;
  for (const { from, requirement } of group) {
    if (from === "policy") policy.push(requirement);
    else if (from === "user") user.push(requirement);
    else if (from === "label") label ??= [...requirement.values][0];
  }
  return mergeKey(key, { ...of, policy, user, label }, known);
}
