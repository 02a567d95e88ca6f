/** The kinds that anp defines itself, by the cluster they are read in. */
import { autoNodePolicyResource } from "../policy/auto-node-policy.ts";
import type { CustomResource } from "../crds/crd.ts";
import { openshiftEC2NodeClassResource } from "../node-classes/openshift-ec2-node-class.ts";
import { openshiftNodePoolResource } from "../pools/openshift-node-pool.ts";
import type { Profile } from "../crds/profile.ts";

/** In the management cluster. `anp crds` writes the CRDs of these, and of the wrappers. */
export function policyResources(): CustomResource[] {
  return [autoNodePolicyResource];
}

/** In the guest cluster. */
export function wrapperResources(profile: Profile): CustomResource[] {
  return [openshiftEC2NodeClassResource, openshiftNodePoolResource(profile)];
}
