/** Counts the requirements of a pool's NodeClaim. */
import type { Requirements } from "./requirements.ts";

const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
const CAPACITY_TYPE = "karpenter.sh/capacity-type";

/**
 * Karpenter adds these to the requirements of the pool: two labels that it sets itself, and the instance types and
 * capacity types to choose from, which replace those of the pool (`NewNodeClaimTemplate` and `ToNodeClaim` in
 * pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go).
 */
export const ADDED_TO_CLAIMS = [
  "karpenter.sh/nodepool",
  "karpenter.k8s.aws/ec2nodeclass",
  INSTANCE_TYPE,
  CAPACITY_TYPE,
];

/**
 * Each key is one entry, or two if it has both bounds (`NodeSelectorRequirements` in pkg/scheduling/requirements.go).
 * Requirements of pods come on top.
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
