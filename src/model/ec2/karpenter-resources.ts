/** Karpenter's own kinds on AWS, as the CRDs of each profile define them. */
import type { CustomResource } from "../crd.ts";
import { nodeClaimResource } from "../node-claim.ts";
import { nodePoolResource } from "../node-pool-resource.ts";
import type { Profile } from "../profile.ts";
import { ec2NodeClassResource } from "./node-class-resource.ts";

export function karpenterResources(profile: Profile): CustomResource[] {
  return [nodePoolResource(profile), nodeClaimResource, ec2NodeClassResource(profile)];
}
