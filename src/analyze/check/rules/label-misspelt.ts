/** Rule: label keys that look like a misspelt well-known label. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { labelPresence, labelSuggestion } from "../../../karpenter/requirements/label-presence.ts";
import { memoizeByKey } from "../../../model/schema/memoize.ts";
import { ownEntries, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter treats these as custom labels. Rendering reports those of the policy as errors, because they weaken it. */
export function labelMisspelt({ pools, provider }: ExplainedCluster): Finding[] {
  // Memoized, because pools repeat the same labels.
  const meantBy = memoizeByKey((key: string) => labelSuggestion(key, provider.labels));
  return pools.flatMap(ownEntries).flatMap((entry) => {
    const { key } = entry.requirement;
    // A template label `zone` is common and intended; a requirement on `zone` is most likely a mistake.
    if (entry.from === "label" && !key.includes("/")) return [];
    const meant = meantBy(key);
    if (meant === undefined) return [];
    // The list of labels may be older than the provider.
    const isListed = labelPresence(key, provider.labels) === "custom";
    const what = isListed
      ? "is no label of instance types, so it restricts none; nodes get it as a label of their own"
      : `is no label of ${provider.title} that anp knows`;
    const message = `${subjectOf(entry)}: ${key} ${what}`;
    const path = entry.from === "label" ? entry.place.path : [...entry.place.path, "key"];
    return [findingAt("label-misspelt", entry.place.resource, path, { message, hint: `did you mean ${meant}?` })];
  });
}
