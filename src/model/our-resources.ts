/** The kinds that are anp's own to define, by the cluster in which they are read; their CRDs are those of `anp crds`. */
import { autoNodePolicyResource } from "./auto-node-policy.ts";
import type { CustomResource } from "./crd.ts";
import { openshiftEC2NodeClassResource } from "./openshift-ec2-node-class.ts";
import { openshiftNodePoolResource } from "./openshift-node-pool.ts";
import type { Profile } from "./profile.ts";

/** In the management cluster. */
export function policyResources(): CustomResource[] {
  return [autoNodePolicyResource];
}

/** In the guest cluster. */
export function wrapperResources(profile: Profile): CustomResource[] {
  return [openshiftEC2NodeClassResource, openshiftNodePoolResource(profile)];
}
