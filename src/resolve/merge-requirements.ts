/**
 * Policy entries before the user's, unmerged, with what each label key comes to; a way round the policy is refused
 * (docs/design.md#bypass).
 */
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import type { FieldPath } from "../krm/field-path.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { ADDED_TO_CLAIMS, claimRequirements } from "../karpenter/claim-requirements.ts";
import { type KnownLabels, labelPresence } from "../karpenter/label-presence.ts";
import { canInventValue } from "../karpenter/invented-value.ts";
import { type MergedKey, mergeKey } from "../karpenter/merged-key.ts";
import { formatRequirement } from "../karpenter/requirement.ts";
import { mergedByKey } from "../karpenter/requirements.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../model/requirement.ts";
import { type Demand, demandsOf } from "./demands.ts";
import { explainMerge } from "./merge-words.ts";
import type { Origin } from "./origin.ts";
import type { RenderContext } from "./render-context.ts";

export interface MergedRequirements {
  readonly entries: readonly NodeSelectorRequirement[];
  readonly origins: readonly Origin[];
}

const OUTPUT: FieldPath = ["spec", "template", "spec", "requirements"];

/** Every instance type has the label and none has this value: the pool gets no nodes (docs/design.md#bypass). */
export const BLOCKER: NodeSelectorRequirement = {
  key: "node.kubernetes.io/instance-type",
  operator: "In",
  values: ["blocked-by-autonodepolicy"],
};

/**
 * @param labels the template labels of the pool: each counts as `In [value]`
 * (docs/upstream/karpenter.md#requirements-of-a-pool)
 */
export function mergeRequirements(
  wrapper: Resource,
  own: readonly NodeSelectorRequirement[],
  labels: Readonly<Record<string, string>>,
  { policy, settings }: RenderContext,
): Outcome<MergedRequirements> {
  const findings: Finding[] = [];
  const entries = [...policy.requirements, ...own];
  const demands = demandsOf(wrapper, own, labels, policy, settings);
  let blocked = false;
  for (const [key, group] of Map.groupBy(demands, (demand) => demand.requirement.key)) {
    const merged = mergeDemands(key, group);
    if (labelPresence(key) === "custom" && !canInventValue(merged.effective))
      findings.push(lethal(wrapper, merged, group));
    if (merged.outcome === "holds") continue;
    const block = merged.outcome === "bypassed" && settings.onBypass === "Block";
    blocked ||= block;
    findings.push(explainMerge(wrapper, merged, group, block));
  }
  if (blocked) entries.push(BLOCKER);
  const origins = entries.map((entry, index): Origin => ({
    output: [...OUTPUT, index],
    input: entry === BLOCKER ? undefined : demands[index]?.place,
  }));
  findings.push(...tooMany(wrapper, entries.length, demands));
  return { value: { entries, origins }, findings };
}

/** The merge of one key, with the demands' sides told apart: template labels are the user's. */
export function mergeDemands(key: string, group: readonly Demand[], known?: KnownLabels): MergedKey {
  const requirements = (from: Demand["from"]) =>
    group.filter((demand) => demand.from === from).map(({ requirement }) => requirement);
  const [label] = requirements("label").flatMap(({ values }) => [...values]);
  return mergeKey(key, { policy: requirements("policy"), user: requirements("user"), label }, known);
}

/** Whoever may write a pool could stop the autoscaling of the whole cluster. */
function lethal(wrapper: Resource, { key, effective }: MergedKey, group: readonly Demand[]): Finding {
  const { resource, path } = (group.findLast(({ from }) => from !== "policy") ?? group.at(-1)!).place;
  const message = `${describeResource(wrapper)}: \`${formatRequirement(effective)}\` on ${key} ends Karpenter: it makes up a number for a label that no instance type has, finds none, and panics at each start`;
  const hint = "list the values with In, or leave a range above 0 and below 9223372036854775807";
  return findingAt("requirement-crashes-karpenter", resource, path, { message, hint });
}

/** NodePool and NodeClaim each hold so many entries and no more: the API server refuses them. */
function tooMany(wrapper: Resource, entries: number, demands: readonly Demand[]): Finding[] {
  const inClaim = claimRequirements(mergedByKey(demands.map(({ requirement }) => requirement)));
  const pool = describeResource(wrapper);
  const hint = "join entries of one key, or drop some";
  const words = (message: string): Finding[] => [
    findingAt("requirements-limit", wrapper, OUTPUT, { message: `${pool}: ${message}`, hint }),
  ];
  if (entries > MAX_REQUIREMENTS)
    return words(
      `${entries} requirements (policy and pool together) are more than the ${MAX_REQUIREMENTS} that a NodePool can hold`,
    );
  if (inClaim <= MAX_REQUIREMENTS) return [];
  const labels = demands.filter(({ from }) => from === "label").length;
  return words(
    `the requirements (policy and pool together) and ${labels} node label${labels === 1 ? "" : "s"} come to ${inClaim} entries of a NodeClaim, ${ADDED_TO_CLAIMS.length} of them Karpenter's own, which are more than the ${MAX_REQUIREMENTS} that it can hold`,
  );
}
