/** Rule: custom labels without listed values, so that nodes get a random value. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import { canGenerateValue } from "../../../karpenter/requirements/generated-value.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { formatRequirement } from "../../../karpenter/requirements/requirement.ts";
import { subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter invents a number (docs/upstream/karpenter.md#generated-values). */
export function customLabelRandom({ explanations, knownTypes }: ExplainedCluster): Finding[] {
  const reportedOfPolicy = new Set<string>();
  return explanations.flatMap(({ requirements }) =>
    requirements.flatMap(({ key, policy, user, effective, outcome }) => {
      // A label of another provider has a finding of its own.
      if (outcome === "foreign") return [];
      if (labelPresence(key, knownTypes.filter.catalogue) !== "custom" || !effective.complement) return [];
      // Without any possible number Karpenter crashes, which rendering refuses.
      if (!canGenerateValue(effective)) return [];
      const entry = user.at(-1) ?? policy.at(-1);
      if (entry === undefined || (user.length === 0 && reportedOfPolicy.has(key))) return [];
      if (user.length === 0) reportedOfPolicy.add(key);
      const message = `${subjectOf(entry)}: \`${formatRequirement(effective)}\` on ${key} names no value: nodes for pods that ask for none get a random number`;
      const hint = "list the values with In, or set the label in the template, unless pods choose it";
      return [findingAt("custom-label-random", entry.place.resource, entry.place.path, { message, hint })];
    }),
  );
}
