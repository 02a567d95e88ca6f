/** Rule: policy entries on labels that a node may lack. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { labelSuggestion } from "../../../karpenter/requirements/label-presence.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { admitsAbsence, intersection, isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { PRESENCE_WORDS } from "../../../resolve/merge-findings.ts";
import { policyEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** anp refuses pools that bypass such entries, but Karpenter would not. */
export function policyKeyBypassable(cluster: ExplainedCluster): Finding[] {
  const entries = policyEntries(cluster);
  return [...Map.groupBy(entries, ({ requirement }) => requirement.key)].flatMap(([key, group]) => {
    const presence = labelPresence(key, cluster.knownTypes.filter.catalogue);
    const [entry] = group;
    const policy = group.map(({ requirement }) => requirement).reduce(intersection);
    // A misspelt key has a finding already, and contradicting entries restrict nothing.
    const isVoid = isEmpty(policy) && !group.some(({ requirement }) => isEmpty(requirement));
    if (entry === undefined || presence === "always" || isVoid || labelSuggestion(key) !== undefined) return [];
    const owners = PRESENCE_WORDS[presence];
    const behaviour = admitsAbsence(policy)
      ? "keeps a label of a pool's template that the entry excludes"
      : "ignores an entry that a pool contradicts";
    const message = `${subjectOf(entry)}: ${owners} ${key}, so Karpenter ${behaviour}; only anp enforces it, by refusing to render such pools`;
    const hint = "also restrict a label that every instance type has, such as node.kubernetes.io/instance-type";
    return [findingAt("policy-key-bypassable", entry.place.resource, entry.place.path, { message, hint })];
  });
}
