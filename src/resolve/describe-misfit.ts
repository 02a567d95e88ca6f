/** Describes why nodes get a label value that their requirements do not allow. */
import { labelPresence } from "../karpenter/requirements/label-presence.ts";
import type { Misfit } from "../karpenter/requirements/node-label.ts";
import { formatRequirement, type Requirement } from "../karpenter/requirements/requirement.ts";
import { PLACEMENT_GROUP_PARTITION } from "../model/requirements/labels.ts";

/** The value that Karpenter sets for a label without a template label, and the reason. */
export function describeMisfit(merged: Requirement, { value, always, label }: Misfit): string {
  const { key } = merged;
  const get = always ? "nodes get" : "some nodes get";
  if (value === undefined) return `${always ? "nodes" : "some nodes"} come without ${key}, because ${whyWithout(key)}`;
  if (label.from !== "instance")
    return `Karpenter generates a number for ${key} within \`${formatRequirement(merged)}\` and ignores excluded values, so ${get} ${value}`;
  if (key === PLACEMENT_GROUP_PARTITION)
    return `with a class in a partition placement group, Karpenter takes the partition from the values of \`${formatRequirement(merged)}\` on ${key}, even if they are excluded, and any partition if there are none, so ${get} ${value}`;
  return `a NodeClaim of a static pool has the bounds of \`${formatRequirement(merged)}\` on ${key}, but not the excluded values, so ${get} ${value}`;
}

export const PRESENCE_HINTS = {
  class: "refer to a class in the placement group; if there is none, remove the entry from the policy",
  offering: "list the values with In, or also require karpenter.sh/capacity-type In [reserved]",
};

/** A hint for a policy that does not hold by its own entries. */
export function hintForPolicy({ key }: Requirement): string {
  const presence = labelPresence(key);
  return presence === "class" || presence === "offering" ? PRESENCE_HINTS[presence] : "list the values with In";
}

/** Why nodes can lack the label. */
export function whyWithout(key: string): string {
  switch (labelPresence(key)) {
    case "class":
      return "only a class with a placementGroupSelector sets it, and instance types of other classes match any requirement on it";
    case "offering":
      return "a pod with NotIn on it in its node affinity also gets capacity outside the reservations";
    default:
      return "Karpenter treats an empty value as absent";
  }
}
