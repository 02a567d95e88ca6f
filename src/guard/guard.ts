/** Creates the admission policies that enforce an AutoNodePolicy on any cluster. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { type Finding, findingAt, type Outcome } from "../krm/findings/finding.ts";
import type { KubeObject } from "../model/objects/kube-object.ts";
import type { Profile } from "../model/crds/profile.ts";
import { MAX_REQUIREMENTS, OWN_SHARE, POLICY_SHARE } from "../model/requirements/requirement.ts";
import { type EffectivePolicy, foreignEntries, POLICY_REQUIREMENTS } from "../resolve/policy.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import { type Bounds, guardBounds, hasBounds } from "./guard-bounds.ts";
import { guardClaimBounds, guardNodeClaims } from "./guard-node-claims.ts";
import { guardNodeClasses } from "./guard-node-classes.ts";
import { guardNodePools } from "./guard-node-pools.ts";
import { type GuardMaking, guardName, validating } from "./guard-objects.ts";
import { guardDefinitions } from "./guard-static.ts";
import { entryLiteral } from "./pool-variables.ts";
import { isOneOf } from "../render/admission-policies.ts";
import { statusMessage, statusRules } from "../render/metadata-protection.ts";

export interface GuardRequest extends GuardMaking {
  readonly policy: EffectivePolicy;
  readonly rootVolume: DecidedRootVolume;
  /** User names of Karpenter for the API server. */
  readonly karpenterUsers: readonly string[];
  readonly provider: Provider;
  readonly bounds: Bounds;
  /** Determines the disruption reasons of budgets. */
  readonly profile: Profile;
  /** For static manifests: users that may change the CRDs of Karpenter's kinds. */
  readonly installers?: readonly string[];
}

/**
 * Validating policies first, then mutating ones, each followed by its binding, so that no mutation applies without
 * validation. See docs/design.md#policy-by-admission.
 */
export function guard(request: GuardRequest): Outcome<KubeObject[]> {
  const { policy, rootVolume, karpenterUsers, provider, bounds, profile } = request;
  const findings = [...tooMuch(policy), ...foreign(policy)];
  if (findings.length > 0) return { value: [], findings };
  const holdsKeys = policy.requirements.length > 0 || policy.rootVolume !== undefined || hasBounds(bounds);
  const making = { ...request, holdsKeys };
  const objects = [
    ...guardNodePools(policy.requirements, provider, making),
    ...guardBounds(bounds, profile, request),
    ...(policy.rootVolume === undefined ? [] : guardNodeClasses(rootVolume, request)),
    ...guardNodeClaims(karpenterUsers, policy.requirements, provider, making),
    ...guardClaimBounds(bounds, request),
    ...guardStatuses(karpenterUsers, request),
    ...(request.form === "static" ? guardDefinitions(request.installers ?? [], request) : []),
  ];
  const isMutating = ({ kind }: KubeObject): boolean => kind.startsWith("Mutating");
  return { value: [...objects.filter((one) => !isMutating(one)), ...objects.filter(isMutating)], findings };
}

/** Limit of one expression (docs/upstream/hosts.md#admission-policies-in-cel). */
const MAX_CODE_POINTS = 100_000;

function tooMuch({ resource, requirements }: EffectivePolicy): Finding[] {
  if (resource === undefined) return [];
  const long = requirements.flatMap((entry, index): Finding[] => {
    const size = [...entryLiteral(entry)].length;
    if (size <= MAX_CODE_POINTS) return [];
    const message = `the entry on ${entry.key} has ${size} code points in CEL, but the API server allows ${MAX_CODE_POINTS}`;
    const hint = "use what the values have in common, such as a family instead of its types";
    return [findingAt("guard-limit", resource, [...POLICY_REQUIREMENTS, index], { message, hint })];
  });
  if (requirements.length <= POLICY_SHARE) return long;
  const message = `the AutoNodePolicy has ${requirements.length} requirements, but a guard allows ${POLICY_SHARE}: of the ${MAX_REQUIREMENTS} of a NodeClaim, ${OWN_SHARE} are for the pool, and the others for the guard and Karpenter`;
  const hint = "merge entries of one key, or remove some";
  return [...long, findingAt("guard-limit", resource, POLICY_REQUIREMENTS, { message, hint })];
}

/** HyperShift's own policy has the same check: labels of other providers restrict nothing. */
function foreign({ resource, requirements }: EffectivePolicy): Finding[] {
  return resource === undefined ? [] : foreignEntries(resource, requirements);
}

/** @param users Karpenter's users */
function guardStatuses(users: readonly string[], { form, action }: GuardMaking): KubeObject[] {
  return validating(guardName("status", form), action, {
    rules: statusRules({ nodeClaims: true, others: true }).map((rule) => ({ ...rule, operations: ["UPDATE"] })),
    validations: [{ expression: isOneOf(users), message: statusMessage() }],
  });
}
