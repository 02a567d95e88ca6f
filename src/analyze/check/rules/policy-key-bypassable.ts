/** Policy entries on labels that a node may lack. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { labelMeant } from "../../../karpenter/requirements/label-meant.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { admitsAbsence, intersection, isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { policyEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** anp refuses pools that get round them, Karpenter itself would not. */
export function policyKeyBypassable(cluster: ExplainedCluster): Finding[] {
  const entries = policyEntries(cluster);
  return [...Map.groupBy(entries, ({ requirement }) => requirement.key)].flatMap(([key, group]) => {
    const presence = labelPresence(key, cluster.market.filter.catalogue);
    const [entry] = group;
    const policy = group.map(({ requirement }) => requirement).reduce(intersection);
    // A misspelt key has a finding already, and what is empty by contradiction restricts nothing.
    const isVoid = isEmpty(policy) && !group.some(({ requirement }) => isEmpty(requirement));
    if (entry === undefined || presence === "always" || isVoid || labelMeant(key) !== undefined) return [];
    const who = presence === "custom" ? "no instance type has" : "not every instance type has";
    const does = admitsAbsence(policy)
      ? "keeps a label of a pool's template that the entry excludes"
      : "passes by an entry that a pool contradicts";
    const message = `${subjectOf(entry)}: ${who} ${key}, so Karpenter ${does}; only anp holds pools to it, by refusing to render them`;
    const hint = "restrict a label that every instance type has as well, such as node.kubernetes.io/instance-type";
    return [findingAt("policy-key-bypassable", entry.place.resource, entry.place.path, { message, hint })];
  });
}
