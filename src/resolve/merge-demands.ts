/** What everybody's demands on one label key come to, merged as Karpenter does. */
import type { KnownLabels } from "../karpenter/requirements/label-presence.ts";
import { type MergedKey, mergeKey } from "../karpenter/requirements/merged-key.ts";
import type { Demand } from "./demands.ts";

/** The sides are told apart: template labels are the user's. @param known what a catalogue tells of labels */
export function mergeDemands(key: string, group: readonly Demand[], known?: KnownLabels): MergedKey {
  const requirements = (from: Demand["from"]) =>
    group.filter((demand) => demand.from === from).map(({ requirement }) => requirement);
  const [label] = requirements("label").flatMap(({ values }) => [...values]);
  return mergeKey(key, { policy: requirements("policy"), user: requirements("user"), label }, known);
}
