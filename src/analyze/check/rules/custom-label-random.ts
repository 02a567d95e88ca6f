/** Custom labels that a pool leaves open, so that its nodes get a random value. */
import { type Finding, findingAt } from "../../../krm/finding.ts";
import { canInventValue } from "../../../karpenter/requirements/invented-value.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { formatRequirement } from "../../../karpenter/requirements/requirement.ts";
import { subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** Karpenter makes up a number (docs/upstream/karpenter.md#invented-values). */
export function customLabelRandom({ explanations, market }: ExplainedCluster): Finding[] {
  const saidOfPolicy = new Set<string>();
  return explanations.flatMap(({ requirements }) =>
    requirements.flatMap(({ key, policy, user, effective, outcome }) => {
      // What it was meant for is another finding.
      if (outcome === "foreign") return [];
      if (labelPresence(key, market.filter.catalogue) !== "custom" || !effective.complement) return [];
      // Where Karpenter finds no number it ends, which rendering refuses.
      if (!canInventValue(effective)) return [];
      const entry = user.at(-1) ?? policy.at(-1);
      if (entry === undefined || (user.length === 0 && saidOfPolicy.has(key))) return [];
      if (user.length === 0) saidOfPolicy.add(key);
      const message = `${subjectOf(entry)}: \`${formatRequirement(effective)}\` on ${key} names no value: nodes for pods that ask for none get a random number`;
      const hint = "list the values with In, or set the label in the template, unless pods choose it";
      return [findingAt("custom-label-random", entry.place.resource, entry.place.path, { message, hint })];
    }),
  );
}
