/** The assumptions of a proof, which the input cannot show. */
import { describeResource } from "../../krm/resource.ts";
import { TERMINATION_TIMESTAMP } from "../../model/reserved-keys.ts";
import type { Place } from "../../resolve/origin.ts";
import type { ResolvedInputs } from "../../resolve/inputs.ts";
import { POLICY_ROOT_VOLUME } from "../../resolve/policy.ts";

export interface Assumption {
  readonly what: string;
  readonly why: string;
  /** The related place in the input; undefined if there is none. */
  readonly place: Place | undefined;
}

/** @param guarded whether for some key only anp prevents wrappers from bypassing the policy */
export function assumptionsOf({ settings, policy }: ResolvedInputs, guarded: boolean): Assumption[] {
  const { mode = "SpecEqual", nodeClaims = "OwnedOnly", allowedWriters = [] } = settings.config.admission ?? {};
  const found: Assumption[] = [];
  const add = (what: string, why: string, place?: Place): void => void found.push({ what, why, place });
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
  add(
    "no finalizer keeps a NodePool after its wrapper is removed",
    "its nodes stay until it is gone; anp watch keeps it within the policy meanwhile, and rendering to files does not include it",
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
  if (guarded)
    add(
      "all NodePools are rendered by anp",
      "on the keys that anp guards, another renderer of the same wrappers allows all that Karpenter allows",
    );
  const { resource } = settings;
  if (resource === undefined)
    add(
      "no RenderConfig is added to the input",
      "it can turn off the admission policies and exempt users; with --policy-dir it is read only from there",
    );
  else
    add(
      `only the owners of the policy write the ${describeResource(resource)}`,
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
