/** Keys of labels that many rules look at. */

export const ZONE = "topology.kubernetes.io/zone";
export const CAPACITY_TYPE = "karpenter.sh/capacity-type";
export const NODE_POOL = "karpenter.sh/nodepool";
