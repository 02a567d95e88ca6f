/** Lists policy entries before the user's, unmerged, and reports merges that do not hold. */
import { CAPACITY_TYPE } from "../model/requirements/label-keys.ts";
import { formatRequirement } from "../karpenter/requirements/requirement.ts";
import { mergedByKey, type Requirements } from "../karpenter/requirements/requirements.ts";
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import type { FieldPath } from "../krm/places/field-path.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { counted } from "../krm/values/counted.ts";
import { MAX_REQUIREMENTS, type NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { explainMerge } from "../resolve/merge-findings.ts";
import type { Origin } from "../resolve/origin.ts";
import type { EffectivePolicy } from "../resolve/policy.ts";
import { BLOCKER, MAX_KEPT } from "../resolve/guarded-list.ts";
import { POLICY_END_ENTRY } from "../model/requirements/policy-end.ts";
import { type MergedGroup, type ResolvedPool } from "../resolve/resolve-pool.ts";

interface MergedRequirements {
  readonly entries: readonly NodeSelectorRequirement[];
  readonly origins: readonly Origin[];
}

const OUTPUT: FieldPath = ["spec", "template", "spec", "requirements"];

/** Refuses a bypass of the policy (docs/design.md#bypass), and a list that has no room for the policy. */
export function mergeRequirements(pool: ResolvedPool, policy: EffectivePolicy): Outcome<MergedRequirements> {
  const { wrapper, spec, asked, merged, onBypass, mode } = pool;
  const findings: Finding[] = [];
  const places = asked.map(({ place }) => place);
  const ofPolicy = policy.requirements.map((entry, index) => ({ entry, place: places[index] }));
  const own = (spec.template.spec.requirements ?? []).map((entry, index) => ({
    entry,
    place: places[ofPolicy.length + index],
  }));
  let blocked = false;
  for (const one of merged) {
    if (one.lethal) findings.push(lethal(wrapper, one));
    if (one.outcome === "holds") continue;
    const block = one.outcome === "bypassed" && onBypass === "Block";
    blocked ||= block;
    findings.push(explainMerge(wrapper, one, one.demands, block));
  }
  const isMarked = mode === "shipped" && ofPolicy.length > 0;
  const added = (blocked ? 1 : 0) + (isMarked ? 1 : 0);
  const crowding = crowdingOf(pool, ofPolicy.length + own.length + added);
  const isEmptied = crowding !== undefined && onBypass === "Block" && pool.policy !== undefined;
  if (crowding !== undefined) findings.push(crowded(wrapper, crowding, isEmptied));
  const blocker = blocked || isEmptied ? [BLOCKED] : [];
  const value = isMarked
    ? [...(isEmptied ? [] : ofPolicy), ...blocker, MARK, ...(isEmptied ? own.slice(0, MAX_KEPT) : own)]
    : // If there is no room, a user could otherwise prevent a policy from growing by filling the list.
      [...(isEmptied ? ofPolicy.slice(0, MAX_REQUIREMENTS - 1) : [...ofPolicy, ...own]), ...blocker];
  const origins = value.map(({ place }, index): Origin => ({ output: [...OUTPUT, index], input: place }));
  return { value: { entries: value.map(({ entry }) => entry), origins }, findings };
}

/** Entries that anp adds itself. */
const BLOCKED = { entry: BLOCKER, place: undefined };
const MARK = { entry: POLICY_END_ENTRY, place: undefined };

/** A user with write access to one pool could stop the autoscaling of the whole cluster. */
function lethal(wrapper: Resource, { key, effective, demands }: MergedGroup): Finding {
  const { resource, path } = (demands.findLast(({ from }) => from !== "policy") ?? demands.at(-1)!).place;
  const message = `${describeResource(wrapper)}: \`${formatRequirement(effective)}\` on ${key} crashes Karpenter: it cannot generate a number for a label that no instance type has, and panics after each start`;
  const hint = "list the values with In, or leave a range above 0 and below 9223372036854775807";
  return findingAt("requirement-crashes-karpenter", resource, path, { message, hint });
}

function crowded(wrapper: Resource, words: string, block: boolean): Finding {
  const blocked = block ? "; the pool is blocked and gets no new nodes" : "";
  return findingAt(block ? "policy-bypass-blocked" : "requirements-limit", wrapper, OUTPUT, {
    message: `${describeResource(wrapper)}: ${words}${blocked}`,
    hint: "merge entries of one key, or remove some",
  });
}

/**
 * NodePool and NodeClaim each have a maximum number of entries, which the API server enforces. Undefined if the
 * entries fit.
 *
 * @param entries of the NodePool, with the blocker if it has one
 */
export function crowdingOf({ asked, policy }: ResolvedPool, entries: number): string | undefined {
  // Each has two entries at most; keys are counted exactly only if it matters.
  if (2 * asked.length + ADDED_TO_CLAIMS.length <= MAX_REQUIREMENTS) return undefined;
  const scope = policy === undefined ? "" : " (policy and pool together)";
  if (entries > MAX_REQUIREMENTS)
    return `${entries} requirements${scope} exceed the maximum of ${MAX_REQUIREMENTS} of a NodePool`;
  const inClaim = claimRequirements(mergedByKey(asked.map(({ requirement }) => requirement)));
  if (inClaim <= MAX_REQUIREMENTS) return undefined;
  const labels = asked.filter(({ from }) => from === "label").length;
  return `the requirements${scope} and ${counted(labels, "node label")} become ${inClaim} entries of a NodeClaim, ${ADDED_TO_CLAIMS.length} of them Karpenter's own; it can hold ${MAX_REQUIREMENTS}`;
}

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";

/**
 * Karpenter adds these to the requirements of the pool: two labels that it sets itself, and the instance types and
 * capacity types to choose from, which replace those of the pool (`NewNodeClaimTemplate` and `ToNodeClaim` in
 * pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go).
 */
const ADDED_TO_CLAIMS = ["karpenter.sh/nodepool", "karpenter.k8s.aws/ec2nodeclass", INSTANCE_TYPE, CAPACITY_TYPE];

/**
 * Each key is one entry, or two if it has both bounds (`NodeSelectorRequirements` in pkg/scheduling/requirements.go).
 * Requirements of pods come on top.
 *
 * @param requirements entries and template labels
 */
function claimRequirements(requirements: Requirements): number {
  const keys = new Set([...requirements.keys(), ...ADDED_TO_CLAIMS]);
  const twice = [...requirements.values()].filter(
    ({ key, gte, lte }) => gte !== undefined && lte !== undefined && !ADDED_TO_CLAIMS.includes(key),
  );
  return keys.size + twice.length;
}
