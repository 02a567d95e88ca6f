/** How many requirements a NodeClaim of a pool holds. */
import type { Requirements } from "./requirements.ts";

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/**
 * What Karpenter adds to those of the pool: two for the labels that it sets itself, two for the instance types and the
 * capacity types to choose from, in place of what the pool says of them (`NewNodeClaimTemplate` and `ToNodeClaim` in
 * pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go).
 */
export const ADDED_TO_CLAIMS = [
  "karpenter.sh/nodepool",
  "karpenter.k8s.aws/ec2nodeclass",
  INSTANCE_TYPE,
  CAPACITY_TYPE,
];

/**
 * Each key is one entry, and two where there is a bound on either side (`NodeSelectorRequirements` in
 * pkg/scheduling/requirements.go). What a pod asks for beside it comes on top.
 *
 * @param requirements entries and template labels
 */
export function claimRequirements(requirements: Requirements): number {
  const keys = new Set([...requirements.keys(), ...ADDED_TO_CLAIMS]);
  const twice = [...requirements.values()].filter(
    ({ key, gte, lte }) => gte !== undefined && lte !== undefined && !ADDED_TO_CLAIMS.includes(key),
  );
  return keys.size + twice.length;
}
