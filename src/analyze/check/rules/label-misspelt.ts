/** Label keys of pools that look like a well-known one and are none. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { labelMeant } from "../../../karpenter/requirements/label-meant.ts";
import { oncePer } from "../../../model/once.ts";
import { ownEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter takes them for custom labels. Of the policy's entries rendering says it: there they are a hole. */
export function labelMisspelt({ pools, provider }: ExplainedCluster): Finding[] {
  // Pools have the same labels over and over.
  const meantBy = oncePer((key: string) => labelMeant(key, provider.labels));
  return pools.flatMap(ownEntries).flatMap((entry) => {
    const { key } = entry.requirement;
    // A label `zone` of one's own is common; a requirement on it is none.
    if (entry.from === "label" && !key.includes("/")) return [];
    const meant = meantBy(key);
    if (meant === undefined) return [];
    const message = `${subjectOf(entry)}: ${key} is no label of instance types, so it restricts none; nodes get it as a label of their own`;
    const path = entry.from === "label" ? entry.place.path : [...entry.place.path, "key"];
    return [findingAt("label-misspelt", entry.place.resource, path, { message, hint: `did you mean ${meant}?` })];
  });
}
