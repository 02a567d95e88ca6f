/** An AutoNodePolicy as the admission policies that hold it on any cluster. */
import type { Provider } from "../karpenter/provider/provider.ts";
import { type Finding, findingAt, type Outcome } from "../krm/finding.ts";
import type { KubeObject } from "../model/kube-object.ts";
import type { Profile } from "../model/profile.ts";
import { MAX_REQUIREMENTS } from "../model/requirement.ts";
import { type EffectivePolicy, foreignEntries, POLICY_REQUIREMENTS } from "../resolve/policy.ts";
import type { DecidedRootVolume } from "../resolve/root-volume.ts";
import { type Bounds, guardBounds } from "./guard-bounds.ts";
import { guardNodeClaims } from "./guard-node-claims.ts";
import { guardNodeClasses } from "./guard-node-classes.ts";
import { guardNodePools } from "./guard-node-pools.ts";
import type { GuardMaking } from "./guard-objects.ts";
import { guardDefinitions } from "./guard-static.ts";
import { entryLiteral } from "./pool-variables.ts";

export interface GuardRequest extends GuardMaking {
  readonly policy: EffectivePolicy;
  readonly rootVolume: DecidedRootVolume;
  /** Who Karpenter is to the API server. */
  readonly karpenterUsers: readonly string[];
  readonly provider: Provider;
  readonly bounds: Bounds;
  /** Whose reasons budgets may be for. */
  readonly profile: Profile;
  /** In files: who may change the definitions of Karpenter's kinds. */
  readonly installers?: readonly string[];
}

/**
 * Validating policies first, then mutating ones, each with its binding behind it: so that nothing is mutated that
 * nobody would look at. See docs/design.md#policy-by-admission.
 */
export function guard(request: GuardRequest): Outcome<KubeObject[]> {
  const { policy, rootVolume, karpenterUsers, provider, bounds, profile } = request;
  const findings = [...tooMuch(policy), ...foreign(policy)];
  if (findings.length > 0) return { value: [], findings };
  const objects = [
    ...guardNodePools(policy.requirements, provider, request),
    ...guardBounds(bounds, profile, request),
    ...(policy.rootVolume === undefined ? [] : guardNodeClasses(rootVolume, request)),
    ...guardNodeClaims(karpenterUsers, policy.requirements, provider, request),
    ...(request.form === "static" ? guardDefinitions(request.installers ?? [], request) : []),
  ];
  const isMutating = ({ kind }: KubeObject): boolean => kind.startsWith("Mutating");
  return { value: [...objects.filter((one) => !isMutating(one)), ...objects.filter(isMutating)], findings };
}

/** The mark and the blocker need their places in a pool's list. */
const MAX_ENTRIES = MAX_REQUIREMENTS - 2;

/** Of one expression (docs/upstream/hosts.md#admission-policies-in-cel). */
const MAX_CODE_POINTS = 100_000;

function tooMuch({ resource, requirements }: EffectivePolicy): Finding[] {
  if (resource === undefined) return [];
  const long = requirements.flatMap((entry, index): Finding[] => {
    const size = [...entryLiteral(entry)].length;
    if (size <= MAX_CODE_POINTS) return [];
    const message = `the entry on ${entry.key} comes to ${size} code points of CEL, and the API server takes ${MAX_CODE_POINTS}`;
    const hint = "ask for what the values have in common, such as a family in place of its types";
    return [findingAt("guard-limit", resource, [...POLICY_REQUIREMENTS, index], { message, hint })];
  });
  if (requirements.length <= MAX_ENTRIES) return long;
  const message = `the AutoNodePolicy has ${requirements.length} requirements, and a guard takes ${MAX_ENTRIES}: a NodePool holds ${MAX_REQUIREMENTS}, two of which the guard needs`;
  const hint = "join entries of one key, or drop some";
  return [...long, findingAt("guard-limit", resource, POLICY_REQUIREMENTS, { message, hint })];
}

/** HyperShift's own policy is checked so as well: what restricts another provider's labels restricts nothing. */
function foreign({ resource, requirements }: EffectivePolicy): Finding[] {
  return resource === undefined ? [] : foreignEntries(resource, requirements);
}
