/** The ways to get nodes that bypass wrappers and policy. */
import type { LabelPresence } from "../../karpenter/requirements/label-presence.ts";
import { excludedNumbers, type Misfit } from "../../karpenter/requirements/node-label.ts";
import { admitsAbsence, type Requirement } from "../../karpenter/requirements/requirement.ts";
import type { FieldPath } from "../../krm/places/field-path.ts";
import { describeResource } from "../../krm/places/resource.ts";
import type { NodeSelectorRequirement } from "../../model/requirements/requirement.ts";
import { TERMINATION_TIMESTAMP } from "../../model/requirements/reserved-keys.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import type { Place } from "../../resolve/origin.ts";
import { POLICY_ROOT_VOLUME } from "../../resolve/policy.ts";
import type { PoolRequirement } from "../../resolve/pool-requirements.ts";

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
  const isRaw = settings.nodePools === "Raw";
  if (isRaw && policy.resource !== undefined && settings.enforcedBy === undefined) {
    const what = "a NodePool applied as its author wrote it";
    const why =
      "nodePools is Raw, so no admission policy for NodePools is rendered, and enforcedBy is not set: set Render if only rendered NodePools are applied, or Admission if the guard of the policy is installed";
    ways.push({ what, who: "open", why, place: settings.config.nodePools === "Raw" ? at("nodePools") : undefined });
  }
  const written = isRaw ? "an EC2NodeClass" : "a NodePool or EC2NodeClass";
  if (mode === "None") {
    const why = "admission.mode is None, so users can write Karpenter's objects directly";
    ways.push({ what: `${written} written by hand`, who: "open", why, place: at("admission", "mode") });
  } else if (allowedWriters.length > 0) {
    const why = `admission.allowedWriters exempts them from the admission policies for ${isRaw ? "" : "NodePools and "}EC2NodeClasses`;
    const what = `${written} written by ${allowedWriters.join(", ")}`;
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

export interface Assumption {
  readonly what: string;
  readonly why: string;
  /** The related place in the input; undefined if there is none. */
  readonly place: Place | undefined;
}

/** What holds the policy for NodePools that users write, of which the input shows nothing. */
const HOLDERS = {
  Render: [
    "only rendered NodePools are applied",
    "nodePools is Raw, so no admission policy for NodePools is rendered: users who may write NodePools in the hosted cluster can apply them without the policy's entries",
  ],
  Admission: [
    "the guard of this policy is installed, and is not removed",
    "nodePools is Raw, so the admission policies of anp guard hold the policy for NodePools, and these are not rendered here: they need Kubernetes 1.36, and users who may write admission policies can remove them",
  ],
} as const;

/** @param guarded whether for some key only anp prevents wrappers from bypassing the policy */
export function assumptionsOf({ settings, policy }: ResolvedInputs, guarded: boolean): Assumption[] {
  const { mode = "SpecEqual", nodeClaims = "OwnedOnly", allowedWriters = [] } = settings.config.admission ?? {};
  const found: Assumption[] = [];
  const add = (what: string, why: string, place?: Place): void => void found.push({ what, why, place });
  const { nodePools, enforcedBy, resource } = settings;
  if (nodePools === "Raw" && enforcedBy !== undefined) {
    const [what, why] = HOLDERS[enforcedBy];
    const isOfConfig = resource !== undefined && settings.config.enforcedBy !== undefined;
    add(what, why, isOfConfig ? { resource, path: ["spec", "enforcedBy"] } : undefined);
  }
  if (mode !== "None" || nodeClaims !== "None") {
    add(
      "the admission policies and their bindings stay as they are rendered",
      "users who may write ValidatingAdmissionPolicies or their bindings in the hosted cluster can remove them; anp watch restores them",
    );
    const users = [
      "system:hosted-cluster-config",
      ...(mode === "None" ? [] : allowedWriters),
      ...(settings.karpenterUsers ?? []),
    ];
    add(
      `only the intended users and programs act as ${[...new Set(users)].join(", ")}`,
      "the admission policies exempt them",
    );
    add(
      "the hosted cluster's API server evaluates the admission policies",
      "the admission plugin ValidatingAdmissionPolicy is on by default from Kubernetes 1.30",
    );
  }
  if (nodeClaims !== "None" && settings.karpenterUsers !== undefined)
    add(
      "only Karpenter changes the labels of instance types and zones on NodeClaims",
      "the admission policies protect only labels and annotations of Karpenter's own domains there; a node does not drift if its NodeClaim names another type",
    );
  else
    add(
      "only Karpenter changes labels and annotations of NodeClaims",
      `Karpenter uses ${TERMINATION_TIMESTAMP} as the end of a drain instead of terminationGracePeriod, and compares the labels of the NodeClaim for drift`,
    );
  if (settings.config.maxTerminationGracePeriod !== undefined)
    add(
      `no NodeClaim has ${TERMINATION_TIMESTAMP} from an earlier template`,
      "anp renders none, and Karpenter never overwrites an existing one: remove it from NodeClaims that have it and are not being deleted",
    );
  if (nodePools !== "Raw")
    add(
      "no finalizer keeps a NodePool after its wrapper is removed",
      "its nodes stay until it is gone; anp watch keeps it within the policy meanwhile, and rendering to files does not include it",
    );
  else if (enforcedBy !== "Admission")
    add(
      "no finalizer keeps a NodePool after it is deleted",
      "its nodes stay until it is gone, and rendering does not include it",
    );
  add(
    "no NodePool is deleted without its NodeClaims, and no NodeClaim loses its owner",
    "Karpenter replaces no node without a NodePool: the node stays until its own expireAfter",
  );
  add(
    "Karpenter and the definitions of its API groups stay as they are installed",
    "users who may change its Deployment, flags, feature gates, CustomResourceDefinitions or APIServices decide what it launches",
  );
  add(
    "the feature gate AutoNode stays on",
    "if it is off, nothing is rendered, and no change of the policy reaches a pool",
  );
  if (guarded && nodePools !== "Raw")
    add(
      "all NodePools are rendered by anp",
      "on the keys that anp guards, another renderer of the same wrappers allows all that Karpenter allows",
    );
  if (resource === undefined)
    add(
      "no RenderConfig is added to the input",
      "it can turn off the admission policies and exempt users; with --policy-dir it is read only from there",
    );
  else
    add(
      // Its place tells it from those of other clusters, whose proofs are equal.
      `only the owners of the policy write the ${resource.kind}`,
      "it can turn off the admission policies and exempt users",
      { resource, path: [] },
    );
  if (policy.resource !== undefined)
    add(`only its owners write the ${describeResource(policy.resource)}`, "the proof is about its present content", {
      resource: policy.resource,
      path: [],
    });
  if (policy.resource !== undefined && policy.rootVolume !== undefined)
    add(
      "the images of all nodes have the root device /dev/xvda, as in RHCOS",
      "an image with another one keeps its own root volume, and gets the policy's as an additional disk; the policy does not cover data volumes",
      { resource: policy.resource, path: POLICY_ROOT_VOLUME },
    );
  add(
    "the catalogue knows which labels instance types have",
    "Karpenter treats a label that some types lack differently from one that all types have",
  );
  return found;
}

/**
 * `holds`: Karpenter never launches nodes outside the policy's entries for the key. `guarded`: Karpenter would, for the shown wrapper; anp refuses to render such a wrapper, or blocks it (`policy-bypassed`). `void`: the policy's own entries contradict each other on a label that may be absent, and Karpenter ignores them all. `leaks`: nodes lack the label or get a value that the entries do not admit, because of the entries themselves, the class or a pod.
 */
export interface KeyProof {
  readonly key: string;
  readonly presence: LabelPresence;
  readonly demands: readonly PoolRequirement[];
  readonly policy: Requirement;
  readonly result: "holds" | "guarded" | "void" | "leaks";
  readonly escape: Escape | undefined;
  /** Present for `leaks`. */
  readonly misfit: Misfit | undefined;
}

export interface Escape {
  /** The requirement that a user would write. */
  readonly entry?: NodeSelectorRequirement;
  /** Or the label of the template that a user would write. */
  readonly label?: { readonly key: string; readonly value: string };
  /** The merged requirement, in Karpenter's print form. */
  readonly effective: string;
  /** The instance types that it admits and the policy does not; empty for custom labels, which no type has. */
  readonly types: readonly string[];
}
