/** Policy entries before the user's, unmerged, with what is to be said of each label key. */
import { counted } from "../krm/counted.ts";
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import type { FieldPath } from "../krm/field-path.ts";
import { describeResource, type Resource } from "../krm/resource.ts";
import { ADDED_TO_CLAIMS, claimRequirements } from "../karpenter/requirements/claim-requirements.ts";
import { formatRequirement } from "../karpenter/requirements/requirement.ts";
import { mergedByKey } from "../karpenter/requirements/requirements.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../model/requirement.ts";
import type { Demand } from "../resolve/demands.ts";
import { explainMerge } from "../resolve/merge-words.ts";
import type { Origin } from "../resolve/origin.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";
import { BLOCKER, type MergedDemands, type ResolvedPool } from "../resolve/resolve-pool.ts";

export interface MergedRequirements {
  readonly entries: readonly NodeSelectorRequirement[];
  readonly origins: readonly Origin[];
}

const OUTPUT: FieldPath = ["spec", "template", "spec", "requirements"];

/** A way round the policy is refused (docs/design.md#bypass). */
export function mergeRequirements(
  { wrapper, spec, asked, merged, onBypass }: ResolvedPool,
  policy: EffectivePolicy,
): Outcome<MergedRequirements> {
  const findings: Finding[] = [];
  const entries = [...policy.requirements, ...(spec.template.spec.requirements ?? [])];
  let blocked = false;
  for (const one of merged) {
    if (one.lethal) findings.push(lethal(wrapper, one));
    if (one.outcome === "holds") continue;
    const block = one.outcome === "bypassed" && onBypass === "Block";
    blocked ||= block;
    findings.push(explainMerge(wrapper, one, one.demands, block));
  }
  if (blocked) entries.push(BLOCKER);
  const origins = entries.map((entry, index): Origin => ({
    output: [...OUTPUT, index],
    input: entry === BLOCKER ? undefined : asked[index]?.place,
  }));
  findings.push(...tooMany(wrapper, entries.length, asked, policy));
  return { value: { entries, origins }, findings };
}

/** Whoever may write a pool could stop the autoscaling of the whole cluster. */
function lethal(wrapper: Resource, { key, effective, demands }: MergedDemands): Finding {
  const { resource, path } = (demands.findLast(({ from }) => from !== "policy") ?? demands.at(-1)!).place;
  const message = `${describeResource(wrapper)}: \`${formatRequirement(effective)}\` on ${key} ends Karpenter: it makes up a number for a label that no instance type has, finds none, and panics at each start`;
  const hint = "list the values with In, or leave a range above 0 and below 9223372036854775807";
  return findingAt("requirement-crashes-karpenter", resource, path, { message, hint });
}

/** NodePool and NodeClaim each hold so many entries and no more: the API server refuses them. */
function tooMany(wrapper: Resource, entries: number, demands: readonly Demand[], policy: EffectivePolicy): Finding[] {
  // Two at most for each: only where it may matter are those of one key counted once.
  if (2 * demands.length + ADDED_TO_CLAIMS.length <= MAX_REQUIREMENTS) return [];
  const whose = policy.resource === undefined ? "" : " (policy and pool together)";
  const inClaim = claimRequirements(mergedByKey(demands.map(({ requirement }) => requirement)));
  const pool = describeResource(wrapper);
  const hint = "join entries of one key, or drop some";
  const words = (message: string): Finding[] => [
    findingAt("requirements-limit", wrapper, OUTPUT, { message: `${pool}: ${message}`, hint }),
  ];
  if (entries > MAX_REQUIREMENTS)
    return words(`${entries} requirements${whose} are more than the ${MAX_REQUIREMENTS} that a NodePool can hold`);
  if (inClaim <= MAX_REQUIREMENTS) return [];
  const labels = demands.filter(({ from }) => from === "label").length;
  return words(
    `the requirements${whose} and ${counted(labels, "node label")} come to ${inClaim} entries of a NodeClaim, ${ADDED_TO_CLAIMS.length} of them Karpenter's own, which are more than the ${MAX_REQUIREMENTS} that it can hold`,
  );
}
