/** Determines the policy that applies to a hosted cluster (docs/design.md#which-policy-applies). */
import { AWS } from "../karpenter/provider/aws.ts";
import { foreignLabel } from "../karpenter/provider/providers.ts";
import { normalizeKey } from "../karpenter/requirements/requirement.ts";
import { type Finding, findingAt, findingOnInput, type Outcome } from "../krm/findings/finding.ts";
import { describeResource, type Resource } from "../krm/places/resource.ts";
import { type AutoNodePolicy, autoNodePolicySchema } from "../model/policy/auto-node-policy.ts";
import type { Bundle } from "../model/inputs/bundle.ts";
import { extendsOf } from "../model/inputs/extended-policies.ts";
import type { NodeSelectorRequirement } from "../model/requirements/requirement.ts";
import { validate } from "../model/schema/validate.ts";
import { ineffectiveEntries } from "./ineffective-entries.ts";
import type { Settings } from "./settings.ts";

export interface EffectivePolicy {
  /** Undefined without a policy: everything is allowed. */
  readonly resource: Resource | undefined;
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly rootVolume: NonNullable<NonNullable<AutoNodePolicy["spec"]>["ec2NodeClassDefaults"]>["rootVolume"];
}

export const NO_POLICY: EffectivePolicy = { resource: undefined, requirements: [], rootVolume: undefined };

export const POLICY_REQUIREMENTS = ["spec", "nodePoolDefaults", "requirements"];
export const POLICY_ROOT_VOLUME = ["spec", "ec2NodeClassDefaults", "rootVolume"];

/** Undefined if the policy is invalid, or if one is extended or required and missing. */
export function effectivePolicy(bundle: Bundle, settings: Settings): Outcome<EffectivePolicy | undefined> {
  if (bundle.policy === undefined) return withoutPolicy(bundle, settings);
  const { value, findings } = readPolicy(bundle.policy);
  const mismatch = foreignEntries(bundle.policy, value?.requirements ?? []);
  return mismatch.length > 0 ? { value: undefined, findings: [...findings, ...mismatch] } : { value, findings };
}

/** Undefined if the policy is invalid. */
export function readPolicy(policy: Resource): Outcome<EffectivePolicy | undefined> {
  // An unknown field may be a misspelled restriction: to ignore it would widen the policy.
  const code = "policy-invalid";
  const outcome = validate(autoNodePolicySchema, policy, { code, unknownField: code });
  if (outcome.value === undefined) return { value: undefined, findings: outcome.findings };
  const { spec } = outcome.value;
  const requirements = spec?.nodePoolDefaults?.requirements ?? [];
  const findings: Finding[] = [...outcome.findings];
  if (requirements.length === 0) {
    // A policy with only a root volume has no requirements either, so a lost spec must be reported.
    const what = Object.keys(spec ?? {}).length === 0 ? "an empty spec" : "no requirements";
    const message = `${describeResource(policy)} has ${what}, so users may ask for any instance`;
    findings.push(findingAt("policy-empty", policy, POLICY_REQUIREMENTS, { message }));
  }
  findings.push(...ineffectiveEntries(policy, requirements, POLICY_REQUIREMENTS));
  return {
    value: { resource: policy, requirements, rootVolume: spec?.ec2NodeClassDefaults?.rootVolume },
    findings,
  };
}

/** HyperShift runs Karpenter on AWS: labels of other providers restrict nothing. */
export function foreignEntries(policy: Resource, requirements: readonly NodeSelectorRequirement[]): Finding[] {
  return requirements.flatMap(({ key }, index) => {
    const words = foreignLabel(normalizeKey(key), AWS);
    if (words === undefined) return [];
    const { message, hint } = words;
    const path = [...POLICY_REQUIREMENTS, index, "key"];
    return [findingAt("provider-mismatch", policy, path, { message: `${describeResource(policy)}: ${message}`, hint })];
  });
}

/** The error if a policy is required and missing. */
export function policyRequired(bundle: Bundle, { requirePolicy }: Settings): Finding[] {
  if (!requirePolicy || bundle.policy !== undefined || lacksBase(bundle)) return [];
  const hint = "add the policy, or render without --require-policy and requirePolicy";
  return [findingOnInput("policy-required", { message: hasNoPolicy(bundle), hint })];
}

function withoutPolicy(bundle: Bundle, settings: Settings): Outcome<EffectivePolicy | undefined> {
  if (lacksBase(bundle)) return { value: undefined, findings: [] };
  const required = policyRequired(bundle, settings);
  if (required.length > 0) return { value: undefined, findings: required };
  if (bundle.hostedCluster === undefined || settings.inferred) return { value: NO_POLICY, findings: [] };
  const message = `${hasNoPolicy(bundle)}: user requirements pass through, root volumes get the built-in default`;
  return { value: NO_POLICY, findings: [findingOnInput("policy-absent", { message })] };
}

/** Whether it extends a policy that is missing. The findings of the bundle say why. */
function lacksBase({ policy, renderConfig }: Bundle): boolean {
  return policy === undefined && extendsOf(renderConfig) !== undefined;
}

function hasNoPolicy({ hostedCluster }: Bundle): string {
  const where = hostedCluster === undefined ? "the input" : `the hosted cluster ${hostedCluster}`;
  return `${where} has no AutoNodePolicy named default`;
}
