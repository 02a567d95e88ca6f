/** The kinds that anp defines itself, by the cluster they are read in. */
import { autoNodePolicyResource } from "./auto-node-policy.ts";
import type { CustomResource } from "./crd.ts";
import { openshiftEC2NodeClassResource } from "./openshift-ec2-node-class.ts";
import { openshiftNodePoolResource } from "./openshift-node-pool.ts";
import type { Profile } from "./profile.ts";

/** In the management cluster. `anp crds` writes the CRDs of these, and of the wrappers. */
export function policyResources(): CustomResource[] {
  return [autoNodePolicyResource];
}

/** In the guest cluster. */
export function wrapperResources(profile: Profile): CustomResource[] {
  return [openshiftEC2NodeClassResource, openshiftNodePoolResource(profile)];
}
