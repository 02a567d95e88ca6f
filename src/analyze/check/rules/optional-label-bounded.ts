/** Rule: bounds on a label that some instance types lack, which exclude those types too. */
import { type Finding, findingAt } from "../../../krm/findings/finding.ts";
import type { Catalogue } from "../../../karpenter/catalogue/catalogue.ts";
import { labelPresence } from "../../../karpenter/requirements/label-presence.ts";
import { formatRequirement, isEmpty } from "../../../karpenter/requirements/requirement.ts";
import { isNone } from "../../../karpenter/catalogue/type-mask.ts";
import { entriesOf, subjectOf } from "../../explain/entries.ts";
import type { ExplainedCluster } from "../../explain/explain.ts";

/** See docs/upstream/karpenter.md#absent-labels. */
export function optionalLabelBounded(cluster: ExplainedCluster): Finding[] {
  const { filter } = cluster.knownTypes;
  const { catalogue } = filter;
  const lacking = new Map<string, number>();
  return entriesOf(cluster).flatMap((entry) => {
    const { requirement, place } = entry;
    const { key, gte, lte } = requirement;
    if ((gte === undefined && lte === undefined) || labelPresence(key, catalogue) !== "optional") return [];
    const count = lacking.get(key) ?? typesLacking(key, catalogue);
    lacking.set(key, count);
    // An entry that no instance type meets has a finding of its own.
    if (count === 0 || isNone(filter.compatible(new Map([[key, requirement]])))) return [];
    const message = `${subjectOf(entry)}: \`${formatRequirement(requirement)}\` on ${key} also excludes the ${count} instance types without this label`;
    const hint = "if you want those, restrict a label that every instance type has, such as the instance family";
    return [findingAt("optional-label-bounded", place.resource, place.path, { message, hint })];
  });
}

function typesLacking(key: string, { labels }: Catalogue): number {
  const column = labels.get(key);
  return column === undefined
    ? 0
    : column.of.filter((at) => column.sets[at] !== undefined && isEmpty(column.sets[at])).length;
}
