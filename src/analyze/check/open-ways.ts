/** The ways to nodes that lead past wrappers and policy. */
import { excludedNumbers } from "../../karpenter/requirements/node-label.ts";
import type { FieldPath } from "../../krm/field-path.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { Place } from "../../resolve/origin.ts";
import type { KeyProof } from "./prove.ts";

/** `open`: anybody with the permission can take it. `trusted`: the named users can, as somebody has decided. */
export interface Way {
  readonly what: string;
  readonly who: "open" | "trusted";
  readonly why: string;
  readonly place: Place | undefined;
}

/** Each way that nothing in the input closes (docs/design.md#admission-policies). */
export function openWays({ settings, policy }: ResolvedInputs): Way[] {
  const { mode = "SpecEqual", nodeClaims = "OwnedOnly", allowedWriters = [] } = settings.config.admission ?? {};
  const at = (...path: FieldPath): Place | undefined =>
    settings.resource === undefined ? undefined : { resource: settings.resource, path: ["spec", ...path] };
  const ways: Way[] = [];
  if (mode === "None") {
    const why = "admission.mode is None: nothing keeps a user from writing Karpenter's objects directly";
    ways.push({ what: "a NodePool or EC2NodeClass written by hand", who: "open", why, place: at("admission", "mode") });
  } else if (allowedWriters.length > 0) {
    const why = "admission.allowedWriters leaves them out of the admission policies for NodePools and EC2NodeClasses";
    const what = `a NodePool or EC2NodeClass written by ${allowedWriters.join(", ")}`;
    ways.push({ what, who: "trusted", why, place: at("admission", "allowedWriters") });
  }
  if (nodeClaims === "None") {
    const why = "admission.nodeClaims is None, and a NodeClaim that belongs to no pool meets no policy";
    ways.push({ what: "a NodeClaim made by hand", who: "open", why, place: at("admission", "nodeClaims") });
  }
  if (nodeClaims !== "None") ways.push(claimsOf(settings, at));
  if (policy.resource !== undefined && !settings.requirePolicy) {
    const why = "without a policy users' requirements pass through; requirePolicy makes its absence an error";
    ways.push({ what: "the AutoNodePolicy removed", who: "trusted", why, place: undefined });
  }
  return ways;
}

/** Karpenter's user may be no one else's in some installations: anp cannot tell, and HyperShift's is not. */
function claimsOf(
  { profile, config, karpenterUsers }: ResolvedInputs["settings"],
  at: (...path: FieldPath) => Place | undefined,
): Way {
  if (karpenterUsers === undefined) {
    const what = "a NodeClaim made by hand with Karpenter's label and owner";
    const why = `the profile ${profile} knows no user of Karpenter, and anybody can write both: name the user in admission.karpenterUsers`;
    return { what, who: "open", why, place: config.profile === profile ? at("profile") : undefined };
  }
  const what = `a NodeClaim made as ${karpenterUsers.join(", ")}`;
  const why = karpenterUsers.includes(ADMINISTRATOR)
    ? `Karpenter runs as ${ADMINISTRATOR}, which is the user of the hosted cluster's administrator's kubeconfig too: no admission policy tells the two apart`
    : "the admission policy for NodeClaims takes them for Karpenter";
  const given = config.admission?.karpenterUsers;
  return { what, who: "trusted", why, place: given === undefined ? undefined : at("admission", "karpenterUsers") };
}

const ADMINISTRATOR = "system:admin";

/**
 * The ways that pods have by what they ask for.
 *
 * A pod's own wishes are merged as a pool's entries are, and no wrapper shows them. On a label that no instance type has
 * Karpenter takes the value from what is left (`Any` in pkg/scheduling/requirement.go): a number whatever is excluded,
 * and none for an empty value. Where the values are listed, a pod can only choose among them.
 */
export function podWays(keys: readonly KeyProof[]): Way[] {
  return keys.flatMap(({ key, presence, policy, demands, result }): Way[] => {
    if (presence !== "custom" || !policy.complement || result === "leaks") return [];
    const place = demands.at(-1)?.place;
    const [number] = excludedNumbers(policy);
    const list = "where the policy lists the values with In, a pod chooses among them";
    if (number !== undefined) {
      const what = `a pod whose node affinity has ${key} Gt ${number - 1n} and Lt ${number + 1n}`;
      const why = `Karpenter makes up a number within what the pod asks for and does not look at what the policy excludes: the node gets ${number}; ${list}`;
      return [{ what, who: "open", why, place }];
    }
    const admitsEmpty = policy.values.size === 0 && policy.gte === undefined && policy.lte === undefined;
    if (!admitsEmpty) return [];
    const why = `Karpenter takes an empty value for none: the node comes without the label, which the policy asks for; ${list}`;
    return [{ what: `a pod whose node selector has ${key}: ""`, who: "open", why, place }];
  });
}
