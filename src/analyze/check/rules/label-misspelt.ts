/** Rule: label keys that look like a misspelt well-known label. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { foreignLabel } from "../../../karpenter/provider/providers.ts";
import { labelPresence, labelSuggestion } from "../../../karpenter/requirements/label-presence.ts";
import { memoizeByKey } from "../../../model/schema/memoize.ts";
import { ownEntries, subjectOf } from "../../explain/entries.ts";
import { knownValues } from "../../explain/lone-entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter treats these as custom labels. Rendering reports those of the policy as errors, because they weaken it. */
export function labelMisspelt({ pools, provider, knownTypes }: ExplainedCluster): Finding[] {
  // Memoized, because pools repeat the same labels. A label of another provider has a finding already.
  const meantBy = memoizeByKey((key: string) =>
    foreignLabel(key, provider) === undefined ? labelSuggestion(key, provider.labels) : undefined,
  );
  const known = knownValues(knownTypes.filter.catalogue);
  return pools.map(ownEntries).flatMap((entries) =>
    entries.flatMap((entry) => {
      const { key, values } = entry.requirement;
      const meant = meantBy(key);
      if (meant === undefined) return [];
      if (entry.from === "label") {
        // A template label `zone` is common and intended; a requirement on `zone` is most likely a mistake.
        if (!key.includes("/")) return [];
        const isOfMeant = [...values].every((value) => known.get(meant)?.has(value) === true);
        const isAsked = entries.some(({ from, requirement }) => from === "user" && requirement.key === meant);
        if (!isOfMeant || isAsked) return [];
      }
      // The list of labels may be older than the provider.
      const isListed = labelPresence(key, provider.labels) === "custom";
      const what = isListed
        ? "is no label of instance types, so it restricts none; nodes get it as a label of their own"
        : `is no label of ${provider.title} that anp knows`;
      const message = `${subjectOf(entry)}: ${key} ${what}`;
      const path = entry.from === "label" ? entry.place.path : [...entry.place.path, "key"];
      return [findingAt("label-misspelt", entry.place.resource, path, { message, hint: `did you mean ${meant}?` })];
    }),
  );
}
