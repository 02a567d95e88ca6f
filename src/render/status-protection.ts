/** Lists the statuses that only Karpenter may write, because it launches nodes from them. */

interface StatusRule {
  readonly group: string;
  readonly resources: readonly string[];
}

interface Covered {
  readonly nodeClaims: boolean;
  /** NodePools and EC2NodeClasses. */
  readonly others: boolean;
}

/**
 * Karpenter reads AMIs, subnets, security groups and instance profile from the status of a class, and the instance of
 * a NodeClaim from its `providerID` (docs/upstream/karpenter.md#status). Rules on the object do not apply to requests
 * for its status.
 */
export function statusRules({ nodeClaims, others }: Covered): StatusRule[] {
  const ofKarpenter = [...(nodeClaims ? ["nodeclaims/status"] : []), ...(others ? ["nodepools/status"] : [])];
  return [
    ...(others ? [{ group: "karpenter.k8s.aws", resources: ["ec2nodeclasses/status"] }] : []),
    ...(ofKarpenter.length > 0 ? [{ group: "karpenter.sh", resources: ofKarpenter }] : []),
  ];
}

export function statusMessage(): string {
  return "The status of NodePools, NodeClaims and EC2NodeClasses is Karpenter's alone to write.";
}
