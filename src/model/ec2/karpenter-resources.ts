/** Karpenter's own kinds on AWS, as the CRDs of each profile define them. */
import type { CustomResource } from "../crds/crd.ts";
import { nodeClaimResource } from "../pools/node-claim.ts";
import { nodePoolResource } from "../pools/node-pool-resource.ts";
import type { Profile } from "../crds/profile.ts";
import { ec2NodeClassResource } from "./node-class-resource.ts";

export function karpenterResources(profile: Profile): CustomResource[] {
  return [nodePoolResource(profile), nodeClaimResource, ec2NodeClassResource(profile)];
}
