/** The ways to get nodes that bypass wrappers and policy. */
import { admitsAbsence } from "../../karpenter/requirements/requirement.ts";
import { excludedNumbers } from "../../karpenter/requirements/node-label.ts";
import type { FieldPath } from "../../krm/field-path.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { Place } from "../../resolve/origin.ts";
import type { KeyProof } from "./key-proof.ts";

/** `open`: any user with the permission can use it. `trusted`: only users that the configuration trusts. */
export interface BypassPath {
  readonly what: string;
  readonly who: "open" | "trusted";
  readonly why: string;
  readonly place: Place | undefined;
}

/** The ways that nothing in the input closes (docs/design.md#admission-policies). */
export function bypassPaths({ settings, policy }: ResolvedInputs): BypassPath[] {
  const { mode = "SpecEqual", nodeClaims = "OwnedOnly", allowedWriters = [] } = settings.config.admission ?? {};
  const at = (...path: FieldPath): Place | undefined =>
    settings.resource === undefined ? undefined : { resource: settings.resource, path: ["spec", ...path] };
  const ways: BypassPath[] = [];
  if (mode === "None") {
    const why = "admission.mode is None, so users can write Karpenter's objects directly";
    ways.push({ what: "a NodePool or EC2NodeClass written by hand", who: "open", why, place: at("admission", "mode") });
  } else if (allowedWriters.length > 0) {
    const why = "admission.allowedWriters exempts them from the admission policies for NodePools and EC2NodeClasses";
    const what = `a NodePool or EC2NodeClass written by ${allowedWriters.join(", ")}`;
    ways.push({ what, who: "trusted", why, place: at("admission", "allowedWriters") });
  }
  if (nodeClaims === "None") {
    const why = "admission.nodeClaims is None, and no policy applies to a NodeClaim without a pool";
    ways.push({ what: "a NodeClaim made by hand", who: "open", why, place: at("admission", "nodeClaims") });
  }
  if (nodeClaims !== "None") ways.push(claimsOf(settings, at));
  if (settings.karpenterUsers === undefined && (mode !== "None" || nodeClaims !== "None"))
    ways.push(statusesOf(settings, at));
  if (policy.resource !== undefined && !settings.requirePolicy) {
    const why =
      "without a policy, users' requirements are rendered as they are; requirePolicy makes a missing policy an error";
    ways.push({ what: "the AutoNodePolicy removed", who: "trusted", why, place: undefined });
  }
  return ways;
}

/** If Karpenter's users are unknown, no admission policy can reserve the statuses for them. */
function statusesOf(
  { profile, config }: ResolvedInputs["settings"],
  at: (...path: FieldPath) => Place | undefined,
): BypassPath {
  const what = "the status of an EC2NodeClass or NodeClaim written by hand";
  const why = `Karpenter reads AMIs, subnets, security groups and instances from it, and the profile ${profile} defines no user for Karpenter: set admission.karpenterUsers`;
  return { what, who: "open", why, place: config.profile === profile ? at("profile") : undefined };
}

/** In HyperShift, Karpenter shares its user with the administrator. For other installations anp cannot know. */
function claimsOf(
  { profile, config, karpenterUsers }: ResolvedInputs["settings"],
  at: (...path: FieldPath) => Place | undefined,
): BypassPath {
  if (karpenterUsers === undefined) {
    const what = "a NodeClaim made by hand with Karpenter's label and owner";
    const why = `the profile ${profile} defines no user for Karpenter, and any user can write both: set admission.karpenterUsers`;
    return { what, who: "open", why, place: config.profile === profile ? at("profile") : undefined };
  }
  const what = `a NodeClaim made, or a status written, as ${karpenterUsers.join(", ")}`;
  const why = karpenterUsers.includes(ADMINISTRATOR)
    ? `Karpenter runs as ${ADMINISTRATOR}, which is also the user of the administrator's kubeconfig: no admission policy can distinguish the two`
    : "the admission policies for NodeClaims and statuses treat them as Karpenter";
  const given = config.admission?.karpenterUsers;
  return { what, who: "trusted", why, place: given === undefined ? undefined : at("admission", "karpenterUsers") };
}

const ADMINISTRATOR = "system:admin";

/**
 * The ways that pods have, by their own requirements.
 *
 * Karpenter merges a pod's requirements like the entries of a NodePool, and no wrapper shows them. For a label that no
 * instance type has, it invents a value (`Any` in pkg/scheduling/requirement.go): a number, even an excluded one, and
 * no value for an empty one. If the policy lists the values, a pod can only choose among them.
 */
export function podBypassPaths(keys: readonly KeyProof[]): BypassPath[] {
  return keys.flatMap(({ key, presence, policy, demands, result }): BypassPath[] => {
    if (presence !== "custom" || !policy.complement || result === "leaks") return [];
    const place = demands.at(-1)?.place;
    const [number] = excludedNumbers(policy);
    const list = "if the policy lists the values with In, a pod can only choose among them";
    if (number !== undefined) {
      const what = `a pod with node affinity ${key} Gt ${number - 1n} and Lt ${number + 1n}`;
      const why = `Karpenter invents a number within the bounds of the pod and ignores the values that the policy excludes: the node gets ${number}; ${list}`;
      return [{ what, who: "open", why, place }];
    }
    const admitsEmpty = policy.values.size === 0 && policy.gte === undefined && policy.lte === undefined;
    if (!admitsEmpty) {
      if (admitsAbsence(policy)) return [];
      const what = `two pods, one with node affinity NotIn on ${key} and one with DoesNotExist`;
      const without = `the first is compatible with the policy, and the second with the first: the node starts without the label; ${list}`;
      return [{ what, who: "open", why: without, place }];
    }
    const why = `Karpenter treats an empty value as no value: the node starts without the label, which the policy requires; ${list}`;
    return [{ what: `a pod with the node selector ${key}: ""`, who: "open", why, place }];
  });
}
